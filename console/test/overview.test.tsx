import { cleanup, screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Point } from '../../server/src/ports/call-history'
import { useBackend } from './render'

const { render, testData, backend } = useBackend()

const hourMs = 3_600_000
const noonToday = () => new Date().setHours(12, 0, 0, 0)

let isWritten = false
const writeCalls = async () => {
  localStorage.setItem('trunkline.overview', 'open')
  if (isWritten) return
  isWritten = true
  const { acme, bolt, providers } = testData()
  const call = (account: string, offsetMs: number, answered: boolean, fields: Point['fields']): Point => ({
    tags: {
      account_sid: account,
      service_provider_sid: providers.north,
      direction: 'inbound',
      answered: String(answered),
    },
    fields: { from: '16175550192', to: '18575550100', ...fields },
    timeNs: BigInt(noonToday() + offsetMs) * 1_000_000n,
  })
  await backend().services.callHistory.writePoints('cdrs', [
    call(acme.account, 0, true, { call_sid: 'a', duration: 90, sip_status: 200, answered_at: noonToday() + 3000 }),
    call(acme.account, 1000, true, { call_sid: 'b', duration: 30, sip_status: 200, answered_at: noonToday() + 2000 }),
    call(bolt.account, 2000, false, { call_sid: 'c', sip_status: 486 }),
    call(bolt.account, -3 * hourMs, false, { call_sid: 'd', sip_status: 486 }),
    call(bolt.account, -30 * hourMs, false, { call_sid: 'e', sip_status: 503 }),
    call(bolt.account, -31 * hourMs, false, { call_sid: 'f' }),
  ])
}

const findOverview = async () => within(await screen.findByRole('region', { name: 'Overview' }))
const findText = (text: string) => screen.findByText(text)
const clickButton = async (user: UserEvent, name: RegExp) =>
  user.click(await (await findOverview()).findByRole('button', { name }))

describe('the overview of recent calls', () => {
  it('shows figures of the listed calls, and links each figure to its calls', async () => {
    await writeCalls()
    const { user, currentPath } = await render('/internal/recent-calls', { as: 'provider' })
    await findText('Total: 4 records')
    const panel = await findOverview()
    expect((await panel.findByRole('button', { name: /^Answered/ })).textContent).toContain('50.0%')
    expect(panel.getByRole('button', { name: /Average duration/ }).textContent).toContain('1m 00s')
    expect(panel.getByRole('button', { name: /Time to answer/ }).textContent).toContain('2.0 s')
    expect(panel.getByRole('button', { name: /Concurrent calls in the busiest hour/ }).textContent).toContain('0.0')
    expect(panel.getByRole('button', { name: /12:00 to 13:00: 3 calls, 2 answered/ })).toBeTruthy()

    await clickButton(user, /^486 Busy Here/)
    await findText('Total: 2 records')
    expect(currentPath()).toBe('/internal/recent-calls?status=not-answered&sip=486')
    await clickButton(user, /09:00 to 10:00: 1 call, 0 answered/)
    await findText('Total: 1 record')
    await user.click(await screen.findByRole('combobox', { name: /^SIP status/ }))
    await user.click(await screen.findByRole('option', { name: 'any', hidden: true }))
    await findText('Total: 1 record')
    expect(screen.queryByRole('combobox', { name: /^SIP status/ })).toBeNull()
    expect(currentPath()).not.toContain('sip=')
  })

  it('links a day to its hours', async () => {
    await writeCalls()
    const { user } = await render('/internal/recent-calls?date=7', { as: 'provider' })
    await findText('Total: 6 records')
    await clickButton(user, /: 4 calls, 2 answered$/)
    await findText('Total: 4 records')
    expect((await findOverview()).getByRole('group', { name: 'Calls per hour' })).toBeTruthy()
    await clickButton(user, /^Concurrent calls in the busiest hour/)
    await findText('Total: 3 records')
  })

  it('links to failed calls without a SIP status', async () => {
    await writeCalls()
    const { user, currentPath } = await render('/internal/recent-calls?date=7', { as: 'provider' })
    await clickButton(user, /^no status 1$/)
    await findText('Total: 1 record')
    expect(currentPath()).toBe('/internal/recent-calls?date=7&status=not-answered&sip=0')
    expect((await screen.findByRole('combobox', { name: /^SIP status/ })).textContent).toContain('no status')
    // no call was answered, so this figure has no calls to link to
    const panel = await findOverview()
    expect(panel.getByText(/^Answered/).textContent).toContain('0.0%')
    expect(panel.queryByRole('button', { name: /^Answered/ })).toBeNull()
  })

  it('shows the three most frequent failure reasons, and the rest on request', async () => {
    await writeCalls()
    const { acme, providers } = testData()
    const callTime = noonToday() - 200 * hourMs
    await backend().services.callHistory.writePoints(
      'cdrs',
      [404, 408, 480, 486, 486, 503, 603, 603, 603].map((sip_status, index) => ({
        tags: {
          account_sid: acme.account,
          service_provider_sid: providers.north,
          direction: 'inbound',
          answered: 'false',
        },
        fields: { call_sid: `failed-${index}`, sip_status },
        timeNs: BigInt(callTime + index) * 1_000_000n,
      })),
    )
    const dateRange = encodeURIComponent(
      `${new Date(callTime - hourMs).toISOString()}/${new Date(callTime + hourMs).toISOString()}`,
    )
    const { user } = await render(`/internal/recent-calls?date=${dateRange}`, { as: 'account' })
    const panel = await findOverview()
    const failureButtons = () => panel.getAllByRole('button', { name: /^[4-6]\d\d / })
    const moreButton = await panel.findByRole('button', { name: '… and 3 more' })
    expect(failureButtons()).toHaveLength(3)
    expect(failureButtons().map((button) => button.textContent)).toEqual([
      '603 Decline 3',
      '486 Busy Here 2',
      expect.stringMatching(/ 1$/),
    ])
    moreButton.focus()
    await user.keyboard('{Enter}')
    expect(failureButtons()).toHaveLength(6)
    // the focus stays on the button
    expect(document.activeElement).toBe(panel.getByRole('button', { name: 'Show fewer' }))
    await user.keyboard('{Enter}')
    expect(failureButtons()).toHaveLength(3)
  })

  it('has a scale up to the highest bar', async () => {
    await writeCalls()
    await render('/internal/recent-calls?date=7', { as: 'provider' })
    const bars = within(await (await findOverview()).findByRole('group', { name: 'Calls per day' })).getAllByRole(
      'button',
    )
    const callCounts = bars.map(({ ariaLabel }) => Number(/: (\d+) calls?,/.exec(ariaLabel ?? '')?.[1]))
    expect(callCounts.toSorted((a, b) => b - a).slice(0, 3)).toEqual([4, 2, 0])
    const scale = (await findOverview()).getByText('4', { selector: '[aria-hidden] > span' }).parentElement
    expect([...scale!.children].map(({ textContent }) => textContent)).toEqual(['4', '0'])
  })

  it('is hidden without calls', async () => {
    await writeCalls()
    const { user } = await render('/internal/recent-calls?date=7', { as: 'provider' })
    await findText('Total: 6 records')
    await findOverview()
    await user.type(screen.getByRole('searchbox', { name: 'Filter' }), 'nobody')
    await screen.findByText('No data.', undefined, { timeout: 3000 })
    expect(screen.queryByRole('region', { name: 'Overview' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await findOverview()
  })

  it('moves from bar to bar with the arrow keys', async () => {
    await writeCalls()
    const { user } = await render('/internal/recent-calls?date=yesterday', { as: 'provider' })
    const bars = await (await findOverview()).findByRole('group', { name: 'Calls per hour' })
    const [firstBar, secondBar] = within(bars).getAllByRole('button')
    firstBar!.focus()
    await user.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(secondBar)
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(document.activeElement).toBe(firstBar)
    expect(
      within(bars)
        .getAllByRole('button')
        .filter(({ tabIndex }) => tabIndex === 0),
    ).toEqual([firstBar])
  })

  it('stays collapsed after a reload', async () => {
    await writeCalls()
    const { user } = await render('/internal/recent-calls', { as: 'account' })
    await (await findOverview()).findByRole('button', { name: /Time to answer/ })
    await user.click(screen.getByRole('button', { name: 'Overview', expanded: true }))
    expect(screen.queryByRole('region', { name: 'Overview' })).toBeNull()
    cleanup()
    const { user: reopenedUser } = await render('/internal/recent-calls', { as: 'account' })
    await findText('Total: 2 records')
    expect(screen.queryByRole('region', { name: 'Overview' })).toBeNull()
    // collapsed, it is one line
    for (const figure of ['100% answered', '1m 00s average', '2.0 s to answer']) await screen.findByText(figure)
    await reopenedUser.click(screen.getByRole('button', { name: 'Overview', expanded: false }))
    await (await findOverview()).findByRole('button', { name: /Time to answer/ })
  })

  describe('breakdown', () => {
    const writeBreakdownCalls = async () => {
      await writeCalls()
      const { acme, bolt, providers } = testData()
      const points = Array.from({ length: 24 }, (_, index): Point => ({
        tags: {
          account_sid: index < 8 ? bolt.account : acme.account,
          service_provider_sid: providers.north,
          direction: 'inbound',
          answered: String(index >= 8 && index % 8 !== 0),
          trunk: index % 2 ? 'Atlas' : 'Bluewater',
        },
        fields: { call_sid: `grouped-${index}`, sip_status: 200 },
        timeNs: BigInt(noonToday() - 500 * hourMs + index) * 1_000_000n,
      }))
      await backend().services.callHistory.writePoints('cdrs', points)
      const [from, to] = [noonToday() - 501 * hourMs, noonToday() - 499 * hourMs].map((timeMs) =>
        new Date(timeMs).toISOString(),
      )
      return `/internal/recent-calls?date=${encodeURIComponent(`${from}/${to}`)}`
    }

    it('by trunk or account marks the failing ones and links to their calls', async () => {
      const { user, currentPath } = await render(await writeBreakdownCalls(), { as: 'provider' })
      await clickButton(user, /^Accounts$/)
      const panel = await findOverview()
      const failingAccount = await panel.findByRole('button', { name: /^bolt 0% answered of 8 calls$/ })
      expect(panel.getByRole('button', { name: /^acme 87% answered of 16 calls$/ })).toBeTruthy()
      expect(failingAccount.closest('li')!.title).toBe(
        'bolt: 0 of 8 calls answered. The share of answered calls is far below average.',
      )
      await clickButton(user, /^Trunks$/)
      await clickButton(user, /^Bluewater 50% answered of 12 calls$/)
      await findText('Total: 12 records')
      expect(currentPath()).toContain('trunk=Bluewater')
      await clickButton(user, /^Accounts$/)
      await clickButton(user, /^bolt 0% answered of 4 calls$/)
      await findText('Total: 4 records')
      expect(currentPath()).toContain(`account=${testData().bolt.account}`)
      // With one account there is no breakdown by account, so the failure reasons are shown again.
      expect((await findOverview()).queryByRole('button', { name: 'Accounts' })).toBeNull()
      await (await findOverview()).findByRole('button', { name: /^200/ })
    })

    it('is remembered, and is not offered by account to users of one account', async () => {
      localStorage.setItem('trunkline.overview-breakdown', 'trunk')
      await render(await writeBreakdownCalls(), { as: 'account' })
      const panel = await findOverview()
      expect(await panel.findByRole('button', { name: /^Atlas 100% answered of 8 calls$/ })).toBeTruthy()
      expect(panel.getByRole('button', { name: 'Trunks', pressed: true })).toBeTruthy()
      expect(panel.queryByRole('button', { name: 'Accounts' })).toBeNull()
    })

    it('shows calls without a trunk as others, without a link', async () => {
      await writeBreakdownCalls()
      const { user } = await render('/internal/recent-calls?date=7', { as: 'provider' })
      await clickButton(user, /^Trunks$/)
      const panel = await findOverview()
      expect(await panel.findByText('Others')).toBeTruthy()
      expect(panel.queryByRole('button', { name: /^Others/ })).toBeNull()
    })
  })
})

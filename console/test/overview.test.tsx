import { cleanup, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Point } from '../../server/src/ports/call-history'
import { useBackend } from './render'

const { render, world, backend } = useBackend()

const hour = 3_600_000
const noon = () => new Date().setHours(12, 0, 0, 0)

let written = false
const fill = async () => {
  localStorage.setItem('trunkline.overview', 'open')
  if (written) return
  written = true
  const { acme, bolt, providers } = world()
  const call = (account: string, time: number, answered: boolean, fields: Point['fields']): Point => ({
    tags: {
      account_sid: account,
      service_provider_sid: providers.north,
      direction: 'inbound',
      answered: String(answered),
    },
    fields: { from: '16175550192', to: '18575550100', ...fields },
    time: BigInt(noon() + time) * 1_000_000n,
  })
  await backend().services.callHistory.write('cdrs', [
    call(acme.account, 0, true, { call_sid: 'a', duration: 90, sip_status: 200, answered_at: noon() + 3000 }),
    call(acme.account, 1000, true, { call_sid: 'b', duration: 30, sip_status: 200, answered_at: noon() + 2000 }),
    call(bolt.account, 2000, false, { call_sid: 'c', sip_status: 486 }),
    call(bolt.account, -3 * hour, false, { call_sid: 'd', sip_status: 486 }),
    call(bolt.account, -30 * hour, false, { call_sid: 'e', sip_status: 503 }),
    call(bolt.account, -31 * hour, false, { call_sid: 'f' }),
  ])
}

const overview = async () => within(await screen.findByRole('region', { name: 'Overview' }))
const findText = (text: string) => screen.findByText(text)
const press = async (user: Awaited<ReturnType<typeof render>>['user'], name: RegExp) =>
  user.click(await (await overview()).findByRole('button', { name }))

describe('the overview of recent calls', () => {
  it('shows figures of the listed calls, and links each figure to its calls', async () => {
    await fill()
    const { user, address } = await render('/internal/recent-calls', { as: 'provider' })
    await findText('Total: 4 records')
    const panel = await overview()
    expect((await panel.findByRole('button', { name: /Answer-seizure ratio/ })).textContent).toContain('50.0 %')
    expect(panel.getByRole('button', { name: /Average duration/ }).textContent).toContain('1m 00s')
    expect(panel.getByRole('button', { name: /Post-dial delay/ }).textContent).toContain('2.0 s')
    expect(panel.getByRole('button', { name: /Average concurrent calls/ }).textContent).toContain('0.0')
    expect(panel.getByRole('button', { name: /12:00 to 13:00: 3 calls, 2 answered/ })).toBeTruthy()

    await press(user, /^486 Busy Here/)
    await findText('Total: 2 records')
    expect(address()).toBe('/internal/recent-calls?status=not-answered&sip=486')
    await press(user, /09:00 to 10:00: 1 call, 0 answered/)
    await findText('Total: 1 record')
    await user.click(await screen.findByRole('combobox', { name: /^SIP status/ }))
    await user.click(await screen.findByRole('option', { name: 'any', hidden: true }))
    await findText('Total: 1 record')
    expect(screen.queryByRole('combobox', { name: /^SIP status/ })).toBeNull()
    expect(address()).not.toContain('sip=')
  })

  it('links a day to its hours', async () => {
    await fill()
    const { user } = await render('/internal/recent-calls?date=7', { as: 'provider' })
    await findText('Total: 6 records')
    await press(user, /: 4 calls, 2 answered$/)
    await findText('Total: 4 records')
    expect((await overview()).getByRole('group', { name: 'Calls per hour' })).toBeTruthy()
    await press(user, /^Average concurrent calls/)
    await findText('Total: 3 records')
  })

  it('links to failed calls without a SIP status', async () => {
    await fill()
    const { user, address } = await render('/internal/recent-calls?date=7', { as: 'provider' })
    await press(user, /^none said 1$/)
    await findText('Total: 1 record')
    expect(address()).toBe('/internal/recent-calls?date=7&status=not-answered&sip=0')
    expect((await screen.findByRole('combobox', { name: /^SIP status/ })).textContent).toContain('none said')
    // no call was answered, so this figure has no calls to link to
    const panel = await overview()
    expect(panel.getByText(/^Answer-seizure ratio/).textContent).toContain('0.0 %')
    expect(panel.queryByRole('button', { name: /^Answer-seizure ratio/ })).toBeNull()
  })

  it('shows three failure reasons, and the rest on request', async () => {
    await fill()
    const { acme, providers } = world()
    const callTime = noon() - 200 * hour
    await backend().services.callHistory.write(
      'cdrs',
      [404, 408, 480, 486, 503, 603].map((sip_status, index) => ({
        tags: {
          account_sid: acme.account,
          service_provider_sid: providers.north,
          direction: 'inbound',
          answered: 'false',
        },
        fields: { call_sid: `failed-${sip_status}`, sip_status },
        time: BigInt(callTime + index) * 1_000_000n,
      })),
    )
    const day = encodeURIComponent(
      `${new Date(callTime - hour).toISOString()}/${new Date(callTime + hour).toISOString()}`,
    )
    const { user } = await render(`/internal/recent-calls?date=${day}`, { as: 'account' })
    const panel = await overview()
    const failures = () => panel.getAllByRole('button', { name: /^[4-6]\d\d / })
    const moreButton = await panel.findByRole('button', { name: '… and 3 more' })
    expect(failures()).toHaveLength(3)
    moreButton.focus()
    await user.keyboard('{Enter}')
    expect(failures()).toHaveLength(6)
    // the focus stays on the button
    expect(document.activeElement).toBe(panel.getByRole('button', { name: 'Show fewer' }))
    await user.keyboard('{Enter}')
    expect(failures()).toHaveLength(3)
  })

  it('is hidden without calls, and labels the highest bar with its number', async () => {
    await fill()
    const { user } = await render('/internal/recent-calls?date=7', { as: 'provider' })
    await findText('Total: 6 records')
    expect(await (await overview()).findByText('4')).toBeTruthy()
    await user.type(screen.getByRole('searchbox', { name: 'Filter' }), 'nobody')
    await screen.findByText('No data.', undefined, { timeout: 3000 })
    expect(screen.queryByRole('region', { name: 'Overview' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await overview()
  })

  it('moves from bar to bar with the arrow keys', async () => {
    await fill()
    const { user } = await render('/internal/recent-calls?date=yesterday', { as: 'provider' })
    const bars = await (await overview()).findByRole('group', { name: 'Calls per hour' })
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
    await fill()
    const { user } = await render('/internal/recent-calls', { as: 'account' })
    await (await overview()).findByRole('button', { name: /Post-dial delay/ })
    await user.click(screen.getByRole('button', { name: 'Overview', expanded: true }))
    expect(screen.queryByRole('region', { name: 'Overview' })).toBeNull()
    cleanup()
    const { user: otherUser } = await render('/internal/recent-calls', { as: 'account' })
    await findText('Total: 2 records')
    expect(screen.queryByRole('region', { name: 'Overview' })).toBeNull()
    // collapsed, it is one line
    await screen.findByText(/^100 % answered · 1m 00s · 2.0 s PDD$/)
    await otherUser.click(screen.getByRole('button', { name: 'Overview', expanded: false }))
    await (await overview()).findByRole('button', { name: /Post-dial delay/ })
  })

  describe('breakdown', () => {
    const write = async () => {
      await fill()
      const { acme, bolt, providers } = world()
      const points = Array.from({ length: 24 }, (_, index): Point => ({
        tags: {
          account_sid: index < 8 ? bolt.account : acme.account,
          service_provider_sid: providers.north,
          direction: 'inbound',
          answered: String(index >= 8 && index % 8 !== 0),
          trunk: index % 2 ? 'Atlas' : 'Bluewater',
        },
        fields: { call_sid: `grouped-${index}`, sip_status: 200 },
        time: BigInt(noon() - 500 * hour + index) * 1_000_000n,
      }))
      await backend().services.callHistory.write('cdrs', points)
      const [from, to] = [noon() - 501 * hour, noon() - 499 * hour].map((time) => new Date(time).toISOString())
      return `/internal/recent-calls?date=${encodeURIComponent(`${from}/${to}`)}`
    }

    it('by trunk or account marks the failing ones and links to their calls', async () => {
      const { user, address } = await render(await write(), { as: 'provider' })
      await press(user, /^Accounts$/)
      const panel = await overview()
      const failing = await panel.findByRole('button', { name: /^bolt 0 % answered of 8 calls$/ })
      expect(panel.getByRole('button', { name: /^acme 87 % answered of 16 calls$/ })).toBeTruthy()
      expect(failing.closest('li')!.title).toBe(
        'bolt: 0 of 8 calls answered. The share of answered calls is far below average.',
      )
      await press(user, /^Trunks$/)
      await press(user, /^Bluewater 50 % answered of 12 calls$/)
      await findText('Total: 12 records')
      expect(address()).toContain('trunk=Bluewater')
      await press(user, /^Accounts$/)
      await press(user, /^bolt 0 % answered of 4 calls$/)
      await findText('Total: 4 records')
      expect(address()).toContain(`account=${world().bolt.account}`)
      // With one account there is no breakdown by account, so the failure reasons are shown again.
      expect((await overview()).queryByRole('button', { name: 'Accounts' })).toBeNull()
      await (await overview()).findByRole('button', { name: /^200/ })
    })

    it('is remembered, and is not offered by account to users of one account', async () => {
      localStorage.setItem('trunkline.overview-breakdown', 'trunk')
      await render(await write(), { as: 'account' })
      const panel = await overview()
      expect(await panel.findByRole('button', { name: /^Atlas 100 % answered of 8 calls$/ })).toBeTruthy()
      expect(panel.getByRole('button', { name: 'Trunks', pressed: true })).toBeTruthy()
      expect(panel.queryByRole('button', { name: 'Accounts' })).toBeNull()
    })

    it('shows calls without a trunk as others, without a link', async () => {
      await write()
      const { user } = await render('/internal/recent-calls?date=7', { as: 'provider' })
      await press(user, /^Trunks$/)
      const panel = await overview()
      expect(await panel.findByText('Others')).toBeTruthy()
      expect(panel.queryByRole('button', { name: /^Others/ })).toBeNull()
    })
  })
})

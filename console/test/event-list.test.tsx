import { cleanup, screen, waitFor } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/recent-call'
import { describe, expect, it } from 'vitest'
import type { Point } from '../../server/src/ports/call-history'
import { startV1Server } from './v1-server'
import { useBackend, type TestUser } from './render'

const { render, testData, backend } = useBackend()

/** Noon of today, so that no test fails around midnight. */
const noonToday = () => new Date().setHours(12, 0, 0, 0)
const dayMs = 86_400_000

const writeEvent = (table: 'cdrs' | 'alerts', timeMs: number, fields: Point['fields'], tags: Point['tags'] = {}) =>
  backend().services.callHistory.writePoints(table, [
    {
      tags: { account_sid: testData().acme.account, service_provider_sid: testData().providers.north, ...tags },
      fields,
      timeNs: BigInt(timeMs) * 1_000_000n,
    },
  ])

const openRows = () => screen.queryAllByRole('button', { expanded: true, name: /^\d{4}-/ })
const allRows = () =>
  screen.getAllByRole('button', { name: /^\d{4}-/ }).filter((row) => row.hasAttribute('aria-expanded'))

describe('an empty list', () => {
  it('shows an administrator which settings bring in calls and alerts', async () => {
    const { user } = await render('/internal/recent-calls', { as: 'admin' })
    expect(await screen.findByText(`${messages.callsHint} ${messages.ingestHint}`)).toBeTruthy()
    await user.type(screen.getByLabelText('Filter'), '44')
    await screen.findByText('Clear filters')
    expect(screen.queryByText(messages.callsHint, { exact: false })).toBeNull()
    cleanup()
    await render('/internal/alerts?date=7', { as: 'admin' })
    expect(await screen.findByText(`${messages.alertsHint} ${messages.ingestHint}`)).toBeTruthy()
  })

  it('shows no hint if only today has no alerts', async () => {
    await render('/internal/alerts', { as: 'admin' })
    expect(await screen.findByText(messages.none)).toBeTruthy()
    expect(screen.queryByText(messages.alertsHint, { exact: false })).toBeNull()
  })

  it('names no settings to other users, and none with a v1 server', async () => {
    const v1Server = await startV1Server(backend().app)
    const cases: [TestUser, string | undefined][] = [
      ['north', undefined],
      ['admin', v1Server.apiBaseUrl],
    ]
    for (const [as, apiBaseUrl] of cases) {
      await render('/internal/recent-calls', { as, ...(apiBaseUrl ? { features: { apiBaseUrl } } : {}) })
      expect(await screen.findByText(messages.callsHint)).toBeTruthy()
      cleanup()
    }
    v1Server.close()
  })
})

/** Chooses that calls open inside the list. */
const openCallsInside = () => localStorage.setItem('trunkline.call-place', 'inside')

describe('a list of events', () => {
  it('keeps the open row when newer ones push it off the page', async () => {
    for (let number = 1; number <= 25; number += 1)
      await writeEvent('cdrs', noonToday() - number * 1000, {
        call_sid: `c-${number}`,
        termination_reason: `the end of ${number}`,
      })
    openCallsInside()
    const { user } = await render('/internal/recent-calls', { as: 'account' })
    await screen.findByText('Total: 25 records')
    await user.click(allRows().at(-1)!)
    await screen.findByText('the end of 25')
    await writeEvent('cdrs', noonToday(), { call_sid: 'c-new' })
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await screen.findByText('Total: 26 records')
    expect(screen.getByText('the end of 25')).toBeTruthy()
    expect(openRows()).toHaveLength(1)
    expect(allRows()).toHaveLength(26)
    // closed, it returns to its page
    await user.click(openRows()[0]!)
    await waitFor(() => expect(allRows()).toHaveLength(25))
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    await waitFor(() => expect(allRows()).toHaveLength(1))
  })

  it('closes the open row when the filter changes', async () => {
    openCallsInside()
    const { user } = await render('/internal/recent-calls?open=c-2', { as: 'account' })
    await screen.findByText('the end of 2')
    await user.type(screen.getByLabelText('Filter'), 'c-3')
    await screen.findByText('Total: 1 record')
    expect(screen.queryByText('the end of 2')).toBeNull()
    expect(allRows()).toHaveLength(1)
  })

  it('ignores unknown filter values in the URL', async () => {
    await writeEvent('alerts', noonToday(), { message: 'of today' }, { alert_type: 'tts-failure' })
    await writeEvent(
      'alerts',
      noonToday() - 20 * dayMs,
      { message: 'of three weeks ago' },
      { alert_type: 'tts-failure' },
    )
    await render('/internal/alerts?date=31', { as: 'account' })
    await screen.findByText('Total: 1 record')
    expect(screen.getByRole('combobox', { name: /^Date/ }).textContent).toContain('today')
    cleanup()
    await render('/internal/recent-calls?direction=sideways&status=maybe&sip=busy', { as: 'account' })
    expect((await screen.findByRole('combobox', { name: /^Direction/ })).textContent).toContain('either')
    expect(screen.getByRole('combobox', { name: /^Status/ }).textContent).toContain('all')
    await screen.findByRole('button', { name: 'Overview' })
    expect(screen.queryByRole('combobox', { name: /^SIP status/ })).toBeNull()
  })

  it('does not show an alert as unowned if the server leaves out its account', async () => {
    const service_provider_sid = testData().providers.north
    const rows = [
      { time: new Date(noonToday()).toISOString(), service_provider_sid, message: 'of somebody', detail: null },
    ]
    const v1Server = await startV1Server(backend().app, ({ pathname }) =>
      pathname.endsWith('/Alerts') ? { total: 1, page: '1', page_size: '25', data: rows } : undefined,
    )
    await render('/internal/alerts', { as: 'provider', features: { apiBaseUrl: v1Server.apiBaseUrl } })
    await screen.findByText('of somebody')
    expect(screen.getByRole('columnheader', { name: 'Account' })).toBeTruthy()
    expect(screen.queryByText('None')).toBeNull()
    cleanup()
    v1Server.close()
  })
})

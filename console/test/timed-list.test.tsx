import { cleanup, screen, waitFor } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/recent-call'
import { describe, expect, it } from 'vitest'
import type { Point } from '../../server/src/ports/call-history'
import { startV1Server } from './v1-server'
import { useBackend, type Person } from './render'

const { render, world, backend } = useBackend()

/** Noon of today, so that no test fails around midnight. */
const noon = () => new Date().setHours(12, 0, 0, 0)
const day = 86_400_000

const write = (kind: 'cdrs' | 'alerts', time: number, fields: Point['fields'], tags: Point['tags'] = {}) =>
  backend().services.callHistory.write(kind, [
    {
      tags: { account_sid: world().acme.account, service_provider_sid: world().providers.north, ...tags },
      fields,
      time: BigInt(time) * 1_000_000n,
    },
  ])

const opened = () => screen.queryAllByRole('button', { expanded: true, name: /^\d{4}-/ })
const all = () => screen.getAllByRole('button', { name: /^\d{4}-/ }).filter((row) => row.hasAttribute('aria-expanded'))

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
    const older = await startV1Server(backend().app)
    const people: [Person, string | undefined][] = [
      ['north', undefined],
      ['admin', older.base],
    ]
    for (const [as, apiBaseUrl] of people) {
      await render('/internal/recent-calls', { as, ...(apiBaseUrl ? { features: { apiBaseUrl } } : {}) })
      expect(await screen.findByText(messages.callsHint)).toBeTruthy()
      cleanup()
    }
    older.close()
  })
})

describe('a list of events', () => {
  it('keeps the open row when newer ones push it off the page', async () => {
    for (let at = 1; at <= 25; at += 1)
      await write('cdrs', noon() - at * 1000, { call_sid: `c-${at}`, termination_reason: `the end of ${at}` })
    const { user } = await render('/internal/recent-calls', { as: 'account' })
    await screen.findByText('Total: 25 records')
    await user.click(all().at(-1)!)
    await screen.findByText('the end of 25')
    await write('cdrs', noon(), { call_sid: 'c-new' })
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await screen.findByText('Total: 26 records')
    expect(screen.getByText('the end of 25')).toBeTruthy()
    expect(opened()).toHaveLength(1)
    expect(all()).toHaveLength(26)
    // closed, it returns to its page
    await user.click(opened()[0]!)
    await waitFor(() => expect(all()).toHaveLength(25))
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    await waitFor(() => expect(all()).toHaveLength(1))
  })

  it('closes the open row when the filter changes', async () => {
    const { user } = await render('/internal/recent-calls?open=c-2', { as: 'account' })
    await screen.findByText('the end of 2')
    await user.type(screen.getByLabelText('Filter'), 'c-3')
    await screen.findByText('Total: 1 record')
    expect(screen.queryByText('the end of 2')).toBeNull()
    expect(all()).toHaveLength(1)
  })

  it('ignores unknown filter values in the URL', async () => {
    await write('alerts', noon(), { message: 'of today' }, { alert_type: 'tts-failure' })
    await write('alerts', noon() - 20 * day, { message: 'of three weeks ago' }, { alert_type: 'tts-failure' })
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
    const service_provider_sid = world().providers.north
    const rows = [{ time: new Date(noon()).toISOString(), service_provider_sid, message: 'of somebody', detail: null }]
    const older = await startV1Server(backend().app, ({ pathname }) =>
      pathname.endsWith('/Alerts') ? { total: 1, page: '1', page_size: '25', data: rows } : undefined,
    )
    await render('/internal/alerts', { as: 'provider', features: { apiBaseUrl: older.base } })
    await screen.findByText('of somebody')
    expect(screen.getByRole('columnheader', { name: 'Account' })).toBeTruthy()
    expect(screen.queryByText('None')).toBeNull()
    cleanup()
    older.close()
  })
})

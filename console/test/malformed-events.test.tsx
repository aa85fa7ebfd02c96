import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { collapsedRows, findTotal, noonToday } from './call-records'
import { startV1Server } from './v1-server'
import { useBackend } from './render'

const { render, backend, testData } = useBackend()

/** Opens a screen with a v1 server that returns these rows from its lists of calls, alerts and calls in progress. */
const openWithRows = async (path: string, rows: object[]) => {
  const v1Server = await startV1Server(backend().app, ({ pathname }) => {
    if (/\/Calls$/.test(pathname)) return rows
    return /\/(RecentCalls|Alerts)$/.test(pathname)
      ? { total: rows.length, page: '1', page_size: '25', data: rows }
      : undefined
  })
  const page = await render(path, { as: 'account', features: { apiBaseUrl: v1Server.apiBaseUrl } })
  return {
    ...page,
    close: () => {
      cleanup()
      v1Server.close()
    },
  }
}

const textFields = [
  'account_sid',
  'application_sid',
  'call_sid',
  'direction',
  'from',
  'host',
  'recording_url',
  'remote_host',
  'sip_callid',
  'sip_parent_callid',
  'termination_reason',
  'to',
  'trace_id',
  'trunk',
]
const fieldsOf = (names: string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]))
const attempted_at = new Date(noonToday()).toISOString()

describe('a malformed call record', () => {
  it.each([
    ['missing fields', {}],
    ['fields that are null', fieldsOf([...textFields, 'duration', 'sip_status', 'answered', 'terminated_at'], null)],
    ['numbers in place of text', fieldsOf(textFields, 16175550192)],
    ['objects in place of text', fieldsOf(textFields, { name: 'x' })],
    ['text in place of numbers', { duration: 'long', sip_status: 'busy' }],
    ['objects in place of numbers', { duration: {}, sip_status: [] }],
    ['an invalid end', { terminated_at: 'later' }],
    ['very long text', fieldsOf(textFields, 'x'.repeat(20_000))],
  ])('is listed and opens: %s', async (_, fields) => {
    const { user, close } = await openWithRows('/internal/recent-calls', [{ attempted_at, ...fields }])
    await findTotal('Total: 1 record')
    await user.click(collapsedRows()[0]!)
    expect(await screen.findByText('Attempted at')).toBeTruthy()
    expect(document.body.textContent).not.toMatch(/NaN|undefined|\[object/)
    // names of accounts and applications load later
    await waitFor(() => {
      for (const value of document.querySelectorAll('dd')) expect(value.textContent).not.toBe('')
    })
    close()
  })

  it('opens without a valid start', async () => {
    const { user, close } = await openWithRows('/internal/recent-calls', [{ attempted_at: 'soon', from: 'somebody' }])
    await findTotal('Total: 1 record')
    await user.click(screen.getByText('somebody'))
    expect(await screen.findByText('From', { selector: 'dt' })).toBeTruthy()
    close()
  })
})

describe('a malformed alert', () => {
  it.each([
    ['missing fields', {}],
    ['numbers in place of text', fieldsOf(['alert_type', 'message', 'detail', 'vendor', 'target_sid'], 404)],
    ['objects in place of text', fieldsOf(['alert_type', 'message', 'detail', 'vendor', 'target_sid'], { code: 1 })],
    ['an invalid time', { time: 'soon', message: 'it broke' }],
    ['names that every object has', { alert_type: 'constructor', constructor: 'x', toString: 'y', valueOf: 'z' }],
  ])('is listed and opens: %s', async (_, fields) => {
    const { user, close } = await openWithRows('/internal/alerts', [{ time: attempted_at, ...fields }])
    await findTotal('Total: 1 record')
    const [row] = screen.getAllByRole('button', { expanded: false }).filter((button) => button.closest('tr'))
    await user.click(row!)
    expect(await screen.findByText('Time', { selector: 'dt' })).toBeTruthy()
    expect(document.body.textContent).not.toMatch(/NaN|undefined|\[object/)
    close()
  })
})

describe('a malformed call in progress', () => {
  it.each([
    ['missing fields', {}],
    ['fields that are null', fieldsOf(['from', 'to', 'call_status', 'direction', 'duration', 'account_sid'], null)],
    ['numbers in place of text', fieldsOf(['from', 'to', 'call_status', 'direction'], 1)],
    ['text in place of a number', { duration: 'long' }],
  ])('is listed: %s', async (_, fields) => {
    const { close } = await openWithRows('/internal/recent-calls?show=live', [
      { call_sid: 'c-1', account_sid: testData().accounts.acme, ...fields },
    ])
    const list = within(await screen.findByRole('region', { name: 'Calls in progress' }))
    expect(list.getAllByRole('listitem')).toHaveLength(1)
    expect(document.body.textContent).not.toMatch(/NaN|undefined|null|\[object/)
    close()
  })
})

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startFeatureServer } from '../../server/test/doubles/feature-server'
import { noPlatform, type LiveCall, type LivePlatform } from '../../server/src/ports/live-platform'
import { selectOption } from './call-records'
import { useBackend } from './render'

/** The calls that the platform double reports. */
const activeCalls: LiveCall[] = []
const registeredClients: string[] = []
const platform: LivePlatform = {
  ...noPlatform,
  listCalls: (account_sid) =>
    Promise.resolve(activeCalls.filter((call) => !account_sid || call.accountSid === account_sid)),
  findCall: (_, call_sid) => Promise.resolve(activeCalls.find(({ callSid }) => callSid === call_sid)),
  listRegisteredUsers: () => Promise.resolve(registeredClients),
}
const { render, testData, requestAs, backend } = useBackend({}, { livePlatform: platform })

let featureServer: Awaited<ReturnType<typeof startFeatureServer>>
beforeAll(async () => {
  featureServer = await startFeatureServer()
  Object.assign(featureServer.nextResponse, { status: 202, body: '' })
})
afterAll(() => featureServer.stop())
beforeEach(() => {
  activeCalls.length = 0
  registeredClients.length = 0
})

const createCall = (callSid: string, accountSid: string, from: string, duration = '61'): LiveCall => ({
  callSid,
  accountSid,
  callStatus: 'in-progress',
  direction: 'inbound',
  from,
  to: '18575550100',
  duration,
  serviceUrl: featureServer.url,
})

const startCall = (...call: Parameters<typeof createCall>) => activeCalls.push(createCall(...call))

const openCallsInProgress = async () => {
  fireEvent.click(await screen.findByRole('button', { name: /^In progress [1-9]/ }))
  return within(await screen.findByRole('region', { name: 'Calls in progress' }))
}

describe('calls in progress', () => {
  it('replace the list of ended calls, count up, and are hung up after confirmation', async () => {
    startCall('c1', testData().accounts.acme, '16175550192')
    startCall('c2', testData().accounts.bolt, '16175550193')
    const { user } = await render('/internal/recent-calls', { as: 'provider' })
    await screen.findByText('Total: 0 records')
    const panel = await openCallsInProgress()
    expect(screen.queryByText(/^Total: /)).toBeNull()
    expect(panel.getAllByRole('listitem')[1]?.textContent).toContain('(617) 555-0193 → (857) 555-0100')
    expect(await panel.findByText('acme')).toBeTruthy()
    const readSeconds = () => Number(/^1m (\d\d)s$/.exec(panel.getAllByText(/^1m /)[0]?.textContent ?? '')?.[1])
    const secondsBefore = readSeconds()
    await waitFor(() => expect(readSeconds()).toBeGreaterThan(secondsBefore))
    await user.click(panel.getByRole('button', { name: 'Hang up (617) 555-0192 to (857) 555-0100' }))
    const dialog = within(screen.getByRole('alertdialog', { hidden: true }))
    expect(dialog.getByText('Hang up the call from (617) 555-0192 to (857) 555-0100?')).toBeTruthy()
    expect(featureServer.requests).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Hang up', hidden: true }))
    await screen.findByText('Hanging up the call')
    expect(featureServer.requests).toEqual([{ path: '/v1/updateCall/c1', body: { call_status: 'completed' } }])
  })

  it('open with their details, and say when they ended', async () => {
    startCall('c-open', testData().accounts.acme, '16175550192')
    startCall('c-next', testData().accounts.acme, '16175550193')
    const { user, currentPath } = await render('/internal/recent-calls', { as: 'account' })
    const panel = await openCallsInProgress()
    await user.click(panel.getByRole('link', { name: '(617) 555-0192 → (857) 555-0100' }))
    const call = within(await screen.findByRole('region', { name: 'Call' }))
    expect(currentPath()).toBe('/internal/recent-calls/c-open?show=live')
    expect(await call.findByText('In progress')).toBeTruthy()
    expect(call.getByText(/^1m /)).toBeTruthy()
    expect(call.getByText('c-open')).toBeTruthy()
    expect(call.getByRole('button', { name: 'Hang up (617) 555-0192 to (857) 555-0100' })).toBeTruthy()
    await user.click(call.getByRole('button', { name: 'Next call' }))
    await waitFor(() => expect(currentPath()).toBe('/internal/recent-calls/c-next?show=live'))
    activeCalls.pop()
    expect(await call.findByText('This call has ended.', {}, { timeout: 9000 })).toBeTruthy()
    expect(call.queryByRole('button', { name: /^Hang up/ })).toBeNull()
    expect(call.getByRole('link', { name: 'Show the ended call' }).getAttribute('href')).toBe(
      '/internal/recent-calls/c-next',
    )
  })

  it('keep the focus on the open call', async () => {
    for (const sid of ['c1', 'c2', 'c3']) startCall(sid, testData().accounts.acme, `1617555019${sid.at(-1)}`)
    const { user, currentPath } = await render('/internal/recent-calls?show=live', { as: 'account' })
    const panel = within(await screen.findByRole('region', { name: 'Calls in progress' }))
    await user.keyboard('j{Enter}')
    await within(await screen.findByRole('region', { name: 'Call' })).findByText('c1')
    for (const sid of ['c2', 'c3']) {
      await user.keyboard('j')
      await waitFor(() => expect(currentPath()).toBe(`/internal/recent-calls/${sid}?show=live`))
      await waitFor(() => expect(document.activeElement).toBe(panel.getByRole('link', { current: true })))
      expect(document.activeElement?.getAttribute('href')).toContain(sid)
    }
  })

  it('show only a minimum duration if the start is unknown', async () => {
    startCall('c-unknown-start', testData().accounts.acme, '16175550192', '0')
    startCall('c-known-start', testData().accounts.acme, '16175550194')
    await render('/internal/recent-calls', { as: 'account' })
    const panel = await openCallsInProgress()
    const durationOf = (number: string) =>
      panel.getByText(new RegExp(number)).closest('li')?.querySelector('time')?.textContent
    expect(durationOf('555-0192')).toMatch(/^\d s\+$/)
    expect(durationOf('555-0194')).toMatch(/^1m \d\ds$/)
    // a call that started while the list was open
    startCall('new', testData().accounts.acme, '16175550195', '0')
    await panel.findByText(/555-0195$/)
    expect(durationOf('555-0195')).toMatch(/^\d s$/)
    expect(durationOf('555-0192')).toMatch(/^\d+ s\+$/)
  })

  it('are told apart without a SID, and cannot be hung up then', async () => {
    startCall('', testData().accounts.acme, '16175550192')
    startCall('', testData().accounts.acme, '16175550193', '3601')
    const logError = vi.spyOn(console, 'error').mockImplementation(() => {})
    await render('/internal/recent-calls', { as: 'account' })
    const panel = await openCallsInProgress()
    const [firstRow, secondRow] = panel.getAllByRole('listitem')
    expect(firstRow?.querySelector('time')?.textContent).toMatch(/^1m /)
    expect(secondRow?.querySelector('time')?.textContent).toMatch(/^1h /)
    expect(panel.queryByRole('button', { name: /^Hang up/ })).toBeNull()
    expect(logError).not.toHaveBeenCalled()
    logError.mockRestore()
  })

  it('show the first 50 and the number of the rest', async () => {
    for (let index = 0; index < 53; index += 1) startCall(`m${index}`, testData().accounts.acme, '16175550192')
    await render('/internal/recent-calls', { as: 'account' })
    const panel = await openCallsInProgress()
    expect(panel.getAllByRole('listitem')).toHaveLength(50)
    expect(panel.getByText('and 3 more')).toBeTruthy()
  })

  it('are filtered by direction and text, without the filters of ended calls, and counted in the heading', async () => {
    startCall('c-in', testData().accounts.acme, '16175550192')
    startCall('c-last', testData().accounts.acme, '16175550193')
    activeCalls.push({ ...createCall('c-out', testData().accounts.acme, '12125550103'), direction: 'outbound' })
    const { user, currentPath } = await render('/internal/recent-calls?date=7&status=answered', { as: 'account' })
    await screen.findByText('Total: 0 records')
    const panel = await openCallsInProgress()
    const heading = () => document.querySelector('h1')?.textContent
    await waitFor(() => expect(heading()).toBe('Recent calls 3'))
    for (const name of [/^Status/, /^Date/, /^Add filter/]) expect(screen.queryByRole('combobox', { name })).toBeNull()
    for (const name of ['Export calls as CSV', 'Columns', 'Refresh', 'Pause live refresh'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    await selectOption(user, /^Direction/, 'inbound only')
    await waitFor(() => expect(heading()).toBe('Recent calls 2'))
    expect(panel.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      '(617) 555-0192 → (857) 555-0100',
      '(617) 555-0193 → (857) 555-0100',
    ])
    await user.type(screen.getByLabelText('Filter'), '(617) 555-0193')
    await waitFor(() => expect(heading()).toBe('Recent calls 1'))
    expect(screen.getByRole('button', { name: 'In progress 1' })).toBeTruthy()
    await user.clear(screen.getByLabelText('Filter'))
    await user.type(screen.getByLabelText('Filter'), 'C-LAST')
    await waitFor(() => expect(heading()).toBe('Recent calls 1'))
    // the next call is one that the list shows
    await user.clear(screen.getByLabelText('Filter'))
    await user.click(panel.getByRole('link', { name: '(617) 555-0193 → (857) 555-0100' }))
    await screen.findByRole('region', { name: 'Call' })
    expect(screen.getByRole('button', { name: 'Next call' })).toHaveProperty('disabled', true)
    await user.type(screen.getByLabelText('Filter'), 'none')
    await screen.findByText('Nothing matches these filters.')
    expect(heading()).toBe('Recent calls 0')
    // the filters of ended calls stay
    await user.click(screen.getByRole('button', { name: 'Ended' }))
    await waitFor(() =>
      expect(currentPath()).toBe('/internal/recent-calls?date=7&direction=inbound&status=answered&text=none'),
    )
  })

  it("show the account's own calls, and a count of 0 without any", async () => {
    startCall('c2', testData().accounts.bolt, '16175550193')
    await render('/internal/recent-calls', { as: 'account' })
    await screen.findByText('Total: 0 records')
    expect(await screen.findByRole('button', { name: 'In progress 0' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Calls in progress' })).toBeNull()
  })

  it('keep their dialog open when the first ended call appears', async () => {
    const { acme, providers } = testData()
    startCall('c1', acme.account, '16175550192')
    const { user } = await render('/internal/recent-calls', { as: 'account' })
    await screen.findByText('Total: 0 records')
    await user.click((await openCallsInProgress()).getByRole('button', { name: /^Hang up/ }))
    const dialog = screen.getByRole('alertdialog', { hidden: true })
    const tags = { account_sid: acme.account, service_provider_sid: providers.north, direction: 'inbound' }
    const endedCall = { tags, fields: { call_sid: 'c0', from: '16175550177' }, timeNs: BigInt(Date.now()) * 1_000_000n }
    await backend().services.callHistory.writePoints('cdrs', [endedCall])
    const send = vi.spyOn(globalThis, 'fetch')
    const isListRequest = ([url]: unknown[]) => String(url).includes('/RecentCalls?')
    // the list of ended calls polls every 10 seconds
    await waitFor(() => expect(send.mock.calls.some(isListRequest)).toBe(true))
    await Promise.all(send.mock.results.map(({ value }) => value as Promise<Response>))
    send.mockRestore()
    await act(() => new Promise((resolve) => setTimeout(resolve)))
    expect(dialog.isConnected).toBe(true)
    await user.click(within(dialog).getByRole('button', { name: 'Cancel', hidden: true }))
    await user.click(screen.getByRole('button', { name: 'Ended' }))
    expect(document.querySelector('h1')?.textContent).toBe('Recent calls 1')
  })
})

describe('calls in progress on a past day', () => {
  it('are not offered', async () => {
    startCall('c1', testData().accounts.acme, '16175550192')
    await render('/internal/recent-calls?date=yesterday&show=live', { as: 'account' })
    await screen.findByText('Total: 0 records')
    expect(screen.queryByRole('button', { name: /^In progress/ })).toBeNull()
    expect(screen.queryByRole('region', { name: 'Calls in progress' })).toBeNull()
  })
})

describe('SIP clients', () => {
  it('show whether a device is registered', async () => {
    const { account, client } = testData().acme
    await requestAs('admin', 'PUT', `/Clients/${client}`, { username: 'jo' })
    registeredClients.push('jo@acme.example.com')
    await requestAs('admin', 'POST', '/Clients', { account_sid: account, username: 'mo', password: 'Long-enough-1' })
    await render('/internal/clients', { as: 'account' })
    const findRow = async (name: string) => within((await screen.findByRole('link', { name })).closest('tr')!)
    await waitFor(async () => expect((await findRow('jo')).getByText('Registered')).toBeTruthy())
    expect((await findRow('mo')).getByText('Unregistered')).toBeTruthy()
  })
})

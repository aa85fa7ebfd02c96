import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callServer } from '../../server/test/doubles/call-server'
import { noPlatform, type LiveCall, type LivePlatform } from '../../server/src/ports/live-platform'
import { useBackend } from './render'

/** A double of the platform, with the calls that a test puts into `going`. */
const going: LiveCall[] = []
const registered: string[] = []
const platform: LivePlatform = {
  ...noPlatform,
  calls: (account_sid) => Promise.resolve(going.filter((call) => !account_sid || call.accountSid === account_sid)),
  call: (_, call_sid) => Promise.resolve(going.find(({ callSid }) => callSid === call_sid)),
  registered: () => Promise.resolve(registered),
}
const { render, world, ask, backend } = useBackend({}, { livePlatform: platform })

let server: Awaited<ReturnType<typeof callServer>>
beforeAll(async () => {
  server = await callServer()
  Object.assign(server.nextResponse, { status: 202, body: '' })
})
afterAll(() => server.stop())
beforeEach(() => {
  going.length = 0
  registered.length = 0
})

const begin = (callSid: string, account: string, from: string, duration = '61') =>
  going.push({
    callSid,
    accountSid: account,
    callStatus: 'in-progress',
    direction: 'inbound',
    from,
    to: '18575550100',
    duration,
    serviceUrl: server.url,
  })

const inProgress = async () => {
  fireEvent.click(await screen.findByRole('button', { name: /^In progress [1-9]/ }))
  return within(await screen.findByRole('region', { name: 'Calls in progress' }))
}

describe('calls in progress', () => {
  it('replace the list of ended calls, count up, and are hung up after confirmation', async () => {
    begin('c1', world().accounts.acme, '16175550192')
    begin('c2', world().accounts.bolt, '16175550193')
    const { user } = await render('/internal/recent-calls', { as: 'provider' })
    const part = await inProgress()
    expect(part.getAllByRole('listitem')[1]?.textContent).toContain('(617) 555-0193 → (857) 555-0100')
    expect(await part.findByText('acme')).toBeTruthy()
    const [before] = part.getAllByText(/^1m \d\ds$/).map(({ textContent }) => textContent)
    await waitFor(() => expect(part.getAllByText(/^1m \d\ds$/)[0]?.textContent).not.toBe(before))
    await user.click(part.getByRole('button', { name: 'Hang up (617) 555-0192 to (857) 555-0100' }))
    const question = within(screen.getByRole('alertdialog', { hidden: true }))
    expect(question.getByText('Hang up the call from (617) 555-0192 to (857) 555-0100?')).toBeTruthy()
    expect(server.requests).toEqual([])
    going.splice(0, 1)
    going.unshift({ ...going[0]!, callSid: 'c1', accountSid: world().accounts.acme, from: '16175550192' })
    await user.click(question.getByRole('button', { name: 'Hang up', hidden: true }))
    await screen.findByText('Hanging up the call')
    expect(server.requests).toEqual([{ path: '/v1/updateCall/c1', body: { call_status: 'completed' } }])
  })

  it('show only a minimum duration if the start is unknown', async () => {
    begin('there', world().accounts.acme, '16175550192', '0')
    begin('told', world().accounts.acme, '16175550194')
    await render('/internal/recent-calls', { as: 'account' })
    const part = await inProgress()
    const length = (number: string) =>
      part.getByText(new RegExp(number)).closest('li')?.querySelector('time')?.textContent
    expect(length('555-0192')).toMatch(/^\d s\+$/)
    expect(length('555-0194')).toMatch(/^1m \d\ds$/)
    // a call that started while the list was open
    begin('new', world().accounts.acme, '16175550195', '0')
    await part.findByText(/555-0195$/)
    expect(length('555-0195')).toMatch(/^\d s$/)
    expect(length('555-0192')).toMatch(/^\d+ s\+$/)
  })

  it('show the first 50 and the number of the rest', async () => {
    for (let at = 0; at < 53; at += 1) begin(`m${at}`, world().accounts.acme, '16175550192')
    await render('/internal/recent-calls', { as: 'account' })
    const part = await inProgress()
    expect(part.getAllByRole('listitem')).toHaveLength(50)
    expect(part.getByText('and 3 more')).toBeTruthy()
  })

  it("show the account's own calls, and a count of 0 without any", async () => {
    begin('c2', world().accounts.bolt, '16175550193')
    await render('/internal/recent-calls', { as: 'account' })
    await screen.findByText('Total: 0 records')
    expect(await screen.findByRole('button', { name: 'In progress 0' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Calls in progress' })).toBeNull()
  })

  it('keep their dialog open when the first ended call appears', async () => {
    const { acme, providers } = world()
    begin('c1', acme.account, '16175550192')
    const { user } = await render('/internal/recent-calls', { as: 'account' })
    await screen.findByText('Total: 0 records')
    await user.click((await inProgress()).getByRole('button', { name: /^Hang up/ }))
    const question = screen.getByRole('alertdialog', { hidden: true })
    const tags = { account_sid: acme.account, service_provider_sid: providers.north, direction: 'inbound' }
    const ended = { tags, fields: { call_sid: 'c0', from: '16175550177' }, time: BigInt(Date.now()) * 1_000_000n }
    await backend().services.callHistory.write('cdrs', [ended])
    await user.click(screen.getByRole('button', { name: 'Refresh', hidden: true }))
    await waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Recent calls 1'))
    expect(question.isConnected).toBe(true)
  })
})

describe('calls in progress on a past day', () => {
  it('are not offered', async () => {
    begin('c1', world().accounts.acme, '16175550192')
    await render('/internal/recent-calls?date=yesterday&show=live', { as: 'account' })
    await screen.findByText('Total: 0 records')
    expect(screen.queryByRole('button', { name: /^In progress/ })).toBeNull()
    expect(screen.queryByRole('region', { name: 'Calls in progress' })).toBeNull()
  })
})

describe('SIP clients', () => {
  it('show whether a device is registered', async () => {
    const { account, client } = world().acme
    await ask('admin', 'PUT', `/Clients/${client}`, { username: 'jo' })
    registered.push('jo@acme.example.com')
    await ask('admin', 'POST', '/Clients', { account_sid: account, username: 'mo', password: 'Long-enough-1' })
    await render('/internal/clients', { as: 'account' })
    const row = async (name: string) => within((await screen.findByRole('link', { name })).closest('tr')!)
    await waitFor(async () => expect((await row('jo')).getByText('Registered')).toBeTruthy())
    expect((await row('mo')).getByText('Not registered')).toBeTruthy()
  })
})

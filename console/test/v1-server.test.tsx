import { screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readOptionTexts, selectOption } from './form-inputs'
import { startV1Server } from './v1-server'
import { useBackend } from './render'

const { render, requestAs, backend, testData } = useBackend()
let v1Server: Awaited<ReturnType<typeof startV1Server>>

const webhook = { url: 'https://app.example.com/hook' }

beforeAll(async () => {
  v1Server = await startV1Server(backend().app)
  for (const name of ['c', 'B', 'a'])
    for (let index = 0; index < 10; index++)
      await requestAs('north', 'POST', '/Applications', {
        name: `${name}${index}`,
        account_sid: testData().accounts.acme,
        call_hook: webhook,
        call_status_hook: webhook,
      })
})
beforeEach(() => {
  v1Server.requests.length = 0
})
afterAll(() => v1Server.close())

const openWithV1Server = (path: string) =>
  render(path, { as: 'provider', features: { apiBaseUrl: v1Server.apiBaseUrl } })

/** Reads the DOM directly: queries by role take seconds in long tables. */
const rowNames = () => [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('a')?.textContent)

const findTotal = (records: number) => screen.findByText(`Total: ${records} records`)

describe('with a server that lacks our additions', () => {
  it('says at the column headers that the server cannot sort its pages', async () => {
    const pagingServer = await startV1Server(backend().app, ({ pathname }) =>
      pathname.endsWith('/PhoneNumbers')
        ? { total: 2, page: 1, page_size: 1, data: [{ phone_number_sid: 'n-1', number: '15550000011' }] }
        : undefined,
    )
    await render('/internal/phone-numbers', { as: 'provider', features: { apiBaseUrl: pagingServer.apiBaseUrl } })
    await screen.findByText('(555) 000-0011')
    const header = screen.getByRole('columnheader', { name: 'Number' })
    expect(within(header).getByTitle('This server cannot sort the list')).toBeTruthy()
    expect(within(header).queryByRole('button')).toBeNull()
    // such a server ignores the filters by application and carrier
    expect(screen.queryByRole('combobox', { name: 'Carrier' })).toBeNull()
    pagingServer.close()
  })

  it('says that the server might not collect traces', async () => {
    const [account_sid, service_provider_sid] = [testData().acme.account, testData().providers.north]
    await backend().services.callHistory.writePoints('cdrs', [
      {
        tags: { account_sid, service_provider_sid, direction: 'inbound', answered: 'true' },
        fields: { call_sid: 'c-untraced', trace_id: '7'.repeat(32), from: '16175550192', to: '18575550100' },
        timeNs: BigInt(Date.now()) * 1_000_000n,
      },
    ])
    const { user } = await openWithV1Server('/internal/recent-calls?open=c-untraced')
    await user.click(await screen.findByRole('tab', { name: 'Tracing' }))
    expect(await screen.findByText('This server has no trace for this call. It might not collect traces.')).toBeTruthy()
  })
})

describe('with a server that returns full lists', () => {
  it('sorts, pages and filters in the browser after one request', async () => {
    const { user } = await openWithV1Server('/internal/applications')
    await findTotal(32)
    expect(rowNames().slice(0, 3)).toEqual(['a0', 'a1', 'a2'])
    expect(rowNames()).toHaveLength(25)
    await user.click(screen.getByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(rowNames()).toHaveLength(7))
    await user.click(screen.getByRole('button', { name: /^Name/ }))
    await waitFor(() => expect(rowNames()[0]).toBe('c9'))
    await user.type(screen.getByRole('searchbox', { name: 'Filter applications' }), 'b')
    await findTotal(11)
    expect(rowNames()[0]).toBe('bolt app')
    expect(v1Server.requests.filter((request) => request.endsWith('/Applications'))).toHaveLength(1)
  })

  it('sends no requests that a v1 server refuses', async () => {
    await openWithV1Server('/internal/applications')
    await findTotal(32)
    expect(v1Server.requests).toContain('GET /ServiceProviders')
    expect(v1Server.requests).not.toContain('GET /Abilities')
  })

  it('loads the full list even if the first request had a filter, which ignores case', async () => {
    const { user } = await openWithV1Server('/internal/applications?text=B')
    await findTotal(11)
    await user.click(screen.getByRole('button', { name: 'Clear filter' }))
    await findTotal(32)
  })

  it('loads the names of owners with one request', async () => {
    await openWithV1Server('/internal/applications?text=bolt')
    const row = await screen.findByRole('row', { name: /bolt app/ })
    await within(row).findByText('bolt')
    // one of the two requests loads the names; the other checks whether there is an account for a new application
    expect(v1Server.requests.filter((request) => request.endsWith('/Accounts'))).toHaveLength(2)
  })

  it('shows the users of the provider and the administrators, and filters them in the browser', async () => {
    localStorage.setItem('activeServiceProvider', testData().providers.north)
    const { user } = await render('/internal/users', { as: 'admin', features: { apiBaseUrl: v1Server.apiBaseUrl } })
    await findTotal(5)
    expect(rowNames()).toEqual(['acme', 'admin', 'bolt', 'north', 'viewer'])
    await user.click(screen.getByRole('combobox', { name: 'Scope' }))
    await user.click(await screen.findByRole('option', { name: 'Account', hidden: true }))
    await findTotal(3)
    await user.type(screen.getByRole('searchbox', { name: 'Filter users' }), 'bolt@')
    await waitFor(() => expect(rowNames()).toEqual(['bolt']))
    expect(v1Server.requests.filter((request) => request === 'GET /Users')).toHaveLength(1)
  })

  it('offers only the carriers that the selected account may use', async () => {
    const { user } = await openWithV1Server('/internal/phone-numbers/add')
    await selectOption(user, 'Carrier', 'North shared')
    await selectOption(user, 'Account', 'bolt')
    expect((await readOptionTexts(user, 'Carrier')).toSorted()).toEqual(['North shared', 'bolt trunk'])
    await selectOption(user, 'Account', 'acme')
    expect((await readOptionTexts(user, 'Carrier')).toSorted()).toEqual(['North shared', 'acme trunk'])
  })
})

import { screen, waitFor, within } from '@testing-library/react'
import { messages as access } from '@trunkline/contract/messages/access'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCallWriter } from './call-records'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'
import { startV1Server } from './v1-server'

const { render, requestAs, backend, testData } = useBackend()
const writeCalls = createCallWriter({ backend, testData })

const pagePath = (name: 'acme' | 'bolt' | 'corp' = 'acme') => `/internal/accounts/${testData().accounts[name]}`
const findTabs = async () => within(await screen.findByRole('navigation', { name: /^Sections of/ }))
const findPanel = async (title: string) => within(await screen.findByRole('region', { name: title }))
const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name })

afterEach(() => void vi.restoreAllMocks())

describe('the page of an account', () => {
  it('opens from its name in the list, with its state and the number of records that belong to it', async () => {
    const { user, currentPath } = await render('/internal/accounts', { as: 'north' })
    await user.click(await screen.findByRole('link', { name: 'acme' }))
    await findTitle('acme')
    expect(currentPath()).toBe(pagePath())
    expect(screen.getByText('Active')).toBeTruthy()
    expect(screen.getByText('acme.example.com')).toBeTruthy()
    expect(screen.getByTitle(testData().accounts.acme).textContent).toMatch(/^.{8}….{4}$/)
    await waitFor(() => expect(document.title).toBe('acme · Accounts · Trunkline'))
    const tabs = await findTabs()
    const numbersTab = await tabs.findByRole('link', { name: 'Numbers 1 of acme' })
    expect(numbersTab.getAttribute('href')).toBe(`/internal/phone-numbers?account=${testData().accounts.acme}`)
    for (const name of ['Applications 1', 'Carriers 1', 'Clients 1', 'Speech 2', 'Users 2', 'Calls', 'Alerts'])
      expect(await tabs.findByRole('link', { name: `${name} of acme` })).toBeTruthy()
    // a tab that opens a filtered list leads back
    await user.click(numbersTab)
    await waitFor(() => expect(document.title).toBe('Phone numbers · acme · Accounts · Trunkline'))
    const trail = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    await user.click(trail.getByRole('link', { name: 'acme' }))
    await findTitle('acme')
    expect(currentPath()).toBe(pagePath())
  })

  it('shows the plan of the account in the hosted edition', async () => {
    await render(pagePath(), { as: 'north', features: { hosted: true } })
    await findTitle('acme')
    expect((await screen.findByText('Plan')).nextElementSibling?.textContent).toMatch(/^Trial/)
  })

  it('shows calls, alerts and numbers, each with a link to its list', async () => {
    await writeCalls()
    const account = testData().accounts.acme
    await render(pagePath(), { as: 'north' })
    const week = await findPanel('Last 7 days')
    expect((await week.findByRole('link', { name: /^Calls 3/ })).getAttribute('href')).toMatch(
      new RegExp(`^/internal/recent-calls\\?date=.+%2Fnow&account=${account}$`),
    )
    expect(week.getByRole('link', { name: /^Answered 66\.7% today 50\.0%/ })).toBeTruthy()
    const calls = await findPanel('Recent calls')
    const call = await calls.findByRole('link', { name: '(617) 555-0192 → (857) 555-0100' })
    const callUrl = new URL(call.getAttribute('href') ?? '', 'http://console')
    expect(callUrl.searchParams.get('account')).toBe(account)
    expect(decodeURIComponent(callUrl.pathname)).toMatch(/^\/internal\/recent-calls\/c-in/)
    const alerts = await findPanel('Newest alerts')
    expect(await alerts.findByText('2 groups in 7 days')).toBeTruthy()
    expect(alerts.getByRole('link', { name: 'https://a.example returned 404' })).toBeTruthy()
    expect(alerts.getAllByRole('img', { name: / in 7 days$/ })).toHaveLength(2)
    const numbers = await findPanel('Numbers')
    expect(await numbers.findByRole('link', { name: 'acme app' })).toBeTruthy()
    expect(numbers.getByRole('link', { name: 'All numbers' }).getAttribute('href')).toContain(account)
  })

  it('omits panels without content, and says that there are no calls', async () => {
    const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/Accounts', {
      name: 'Fernhill',
      service_provider_sid: testData().providers.north,
    })
    await render(`/internal/accounts/${sid}`, { as: 'north' })
    await (await findPanel('Last 7 days')).findByText('No calls in 7 days')
    await (await findTabs()).findByRole('link', { name: 'Numbers 0 of Fernhill' })
    for (const title of ['Recent calls', 'Newest alerts', 'Numbers', 'Also in this account'])
      await waitFor(() => expect(screen.queryByRole('region', { name: title })).toBeNull())
  })

  it('opens the settings with e and the tabs with digits', async () => {
    const { user, currentPath } = await render(pagePath(), { as: 'north' })
    await findTitle('acme')
    await user.keyboard('e')
    const name = await screen.findByRole('textbox', { name: 'Account name' })
    expect(currentPath()).toBe(`${pagePath()}/edit`)
    expect((await findTabs()).getByRole('link', { name: 'Settings of acme' }).getAttribute('aria-current')).toBe('page')
    // typed into a field, a digit is a digit
    await user.type(name, '1')
    expect(currentPath()).toBe(`${pagePath()}/edit`)
    await user.clear(name)
    await user.type(name, 'acme')
    await user.click(document.body)
    await user.keyboard('3')
    await screen.findByRole('heading', { level: 1, name: /^Phone numbers/ })
    expect(currentPath()).toBe(`/internal/phone-numbers?account=${testData().accounts.acme}`)
  })

  it('asks before a key leaves a form with unsaved changes', async () => {
    const { user, currentPath } = await render(`${pagePath()}/edit`, { as: 'north' })
    await user.type(await screen.findByRole('textbox', { name: 'Account name' }), ' two')
    await user.click(document.body)
    await user.keyboard('1')
    await user.click(await screen.findByRole('button', { name: 'Stay' }))
    expect(currentPath()).toBe(`${pagePath()}/edit`)
  })

  it('does not delete an account in use: the dialog shows the records that the page has counted', async () => {
    const { user } = await render(pagePath(), { as: 'north' })
    await (await findTabs()).findByRole('link', { name: 'Numbers 1 of acme' })
    const panel = await findPanel('Also in this account')
    expect(await panel.findByRole('link', { name: 'acme app' })).toBeTruthy()
    const requests = vi.spyOn(globalThis, 'fetch')
    await user.click(screen.getByRole('button', { name: 'Delete', hidden: true }))
    const dialog = within(await screen.findByRole('alertdialog', { name: "acme can't be deleted" }))
    expect(dialog.getByRole('link', { name: 'acme app' })).toBeTruthy()
    expect(requests.mock.calls.filter(([url]) => /PhoneNumbers|ApiKeys/.test(requestUrl(url)))).toEqual([])
  })

  it('deletes an account without dependents, and returns to the list', async () => {
    const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/Accounts', {
      name: 'Glenview',
      service_provider_sid: testData().providers.north,
    })
    const { user, currentPath } = await render(`/internal/accounts/${sid}`, { as: 'north' })
    await findTitle('Glenview')
    await user.click(screen.getByRole('button', { name: 'Delete', hidden: true }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Deleted account Glenview')).toBeTruthy()
    expect(currentPath()).toBe('/internal/accounts')
  })

  it('reports a deleted account', async () => {
    await render('/internal/accounts/00000000-0000-4000-8000-000000000000', { as: 'admin' })
    expect(await screen.findByRole('link', { name: 'Back to accounts' })).toBeTruthy()
  })

  it('lets a panel fail alone, and try again', async () => {
    const send = globalThis.fetch
    let isFailing = true
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) =>
      isFailing && requestUrl(input).includes('RecentCallOverview')
        ? new Response(JSON.stringify({ msg: 'The call store is down' }), { status: 503 })
        : send(input, init),
    )
    const { user } = await render(pagePath(), { as: 'north' })
    const week = await findPanel('Last 7 days')
    await week.findByText('The call store is down')
    expect(await (await findPanel('Numbers')).findByRole('link', { name: 'acme app' })).toBeTruthy()
    isFailing = false
    await user.click(week.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(week.queryByText('The call store is down')).toBeNull())
  })
})

describe('the page of an account for its users', () => {
  it('has no actions for a view-only user, who reads the settings', async () => {
    const { user } = await render(pagePath(), { as: 'viewer' })
    await findTitle('acme')
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Delete', hidden: true })).toBeNull()
    await user.click((await findTabs()).getByRole('link', { name: 'Settings of acme' }))
    expect((await screen.findByRole('note')).textContent).toContain('You do not have permissions')
  })

  it('links to lists without an account filter, and leaves the deletion to the settings', async () => {
    await render(pagePath(), { as: 'acme' })
    await findTitle('acme')
    const tabs = await findTabs()
    expect((await tabs.findByRole('link', { name: 'Numbers 1 of acme' })).getAttribute('href')).toBe(
      '/internal/phone-numbers',
    )
    expect(screen.getByRole('link', { name: 'Edit' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Delete', hidden: true })).toBeNull()
  })

  it('counts the carriers of the list that it opens, with those that all accounts share', async () => {
    const { user } = await render(pagePath(), { as: 'acme' })
    await user.click(await (await findTabs()).findByRole('link', { name: 'Carriers 2 of acme' }))
    expect(await screen.findByText('Total: 2 records')).toBeTruthy()
  })

  it('is refused for another account', async () => {
    const { currentPath } = await render(pagePath('bolt'), { as: 'acme' })
    await screen.findByText(access.foreignAccount)
    await waitFor(() => expect(currentPath()).toBe(`${pagePath()}/edit`))
  })

  it('is refused for an account of another provider', async () => {
    const { currentPath } = await render(pagePath('corp'), { as: 'north' })
    await screen.findByText('You do not have access.')
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
    expect(screen.queryByText('corp')).toBeNull()
  })
})

describe('the settings of an account', () => {
  it('read the account again after a save, so that its page shows the new name', async () => {
    const service_provider_sid = testData().providers.north
    const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/Accounts', {
      name: 'Alder',
      service_provider_sid,
    })
    const { user } = await render(`/internal/accounts/${sid}/edit`, { as: 'north' })
    const nameField = await screen.findByRole('textbox', { name: 'Account name' })
    await user.clear(nameField)
    await user.type(nameField, 'Birch')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Account updated successfully')
    await screen.findByRole('navigation', { name: 'Sections of Birch' })
    expect(screen.queryByText(/Something went wrong/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    expect((await screen.findByRole('alertdialog')).textContent).toContain('the account Birch?')
  })
})

describe('the page of an account in front of a v1 server', () => {
  let v1Server: Awaited<ReturnType<typeof startV1Server>>
  beforeAll(async () => {
    v1Server = await startV1Server(backend().app, undefined, /\/(Abilities|RecentCallOverview|AlertGroups)$/)
  })
  afterAll(() => v1Server.close())

  it('shows what that server knows', async () => {
    await writeCalls()
    await render(pagePath(), { as: 'north', features: { apiBaseUrl: v1Server.apiBaseUrl } })
    await findTitle('acme')
    const tabs = await findTabs()
    for (const name of ['Numbers 1', 'Applications 1', 'Carriers 1', 'Clients 1', 'Users 2'])
      expect(await tabs.findByRole('link', { name: `${name} of acme` })).toBeTruthy()
    const numbers = await findPanel('Numbers')
    expect(await numbers.findByText('acme app')).toBeTruthy()
    expect(await (await findPanel('Recent calls')).findByText('200')).toBeTruthy()
    expect(await (await findPanel('Newest alerts')).findByText('https://a.example returned 404')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Last 7 days' })).toBeNull())
    expect(v1Server.requests.filter((request) => request.includes('RecentCallOverview'))).toEqual([])
  })
})

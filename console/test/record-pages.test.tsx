import { screen, waitFor, within } from '@testing-library/react'
import { messages as access } from '@trunkline/contract/messages/general'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useBackend } from './render'
import { startV1Server } from './v1-server'

/** The pages of applications, phone numbers and users. Those of accounts and carriers have their own tests. */

const { render, backend, testData } = useBackend()

const findTabs = async () => within(await screen.findByRole('navigation', { name: /^Sections of/ }))
const findPanel = async (title: string) => within(await screen.findByRole('region', { name: title }))
const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name })

/** One call to the number of acme, handled by its application. */
const writeCall = (fields: Record<string, string> = {}) =>
  backend().services.callHistory.writePoints('cdrs', [
    {
      tags: {
        account_sid: testData().accounts.acme,
        service_provider_sid: testData().providers.north,
        direction: 'inbound',
        answered: 'true',
      },
      fields: {
        call_sid: 'call-of-pages',
        from: '16175550192',
        to: '15550000011',
        sip_status: 200,
        application_sid: testData().acme.application,
        ...fields,
      },
      timeNs: BigInt(new Date().setHours(12, 0, 0, 0)) * 1_000_000n,
    },
  ])

describe('the page of an application', () => {
  it('shows webhooks, speech, calls and what uses it, and opens the settings', async () => {
    await writeCall()
    const { user, currentPath } = await render('/internal/applications', { as: 'north' })
    await user.click(await screen.findByRole('link', { name: 'acme app' }))
    await findTitle('acme app')
    const path = `/internal/applications/${testData().acme.application}`
    expect(currentPath()).toBe(path)
    await waitFor(() => expect(document.title).toBe('acme app · Applications · Trunkline'))
    expect((await findPanel('Webhooks')).getByText('Call status webhook')).toBeTruthy()
    expect((await findPanel('Speech')).getByText('Speech synthesis')).toBeTruthy()
    const call = await (await findPanel('Recent calls')).findByRole('link', { name: /\(617\) 555-0192/ })
    expect(call).toBeTruthy()
    const number = await (await findPanel('Used by')).findByRole('link', { name: '(555) 000-0011' })
    expect(number.getAttribute('href')).toBe(`/internal/phone-numbers/${testData().acme.phone_number}`)
    const callsTab = await (await findTabs()).findByRole('link', { name: 'Calls of acme app' })
    expect(callsTab.getAttribute('href')).toContain(`application=${testData().acme.application}`)
    await user.click(screen.getByRole('link', { name: 'Edit' }))
    await findTitle('Edit application')
    expect(currentPath()).toBe(`${path}/edit`)
    expect((await findTabs()).getByRole('link', { name: /^Settings/ }).getAttribute('aria-current')).toBe('page')
  })

  it('does not delete an application in use: the dialog shows what the page shows', async () => {
    const { user } = await render(`/internal/applications/${testData().acme.application}`, { as: 'north' })
    await (await findPanel('Used by')).findByRole('link', { name: '(555) 000-0011' })
    await user.click(screen.getByRole('button', { name: 'Delete', hidden: true }))
    const dialog = within(await screen.findByRole('alertdialog', { name: "acme app can't be deleted" }))
    expect(dialog.getByRole('link', { name: '(555) 000-0011' })).toBeTruthy()
  })

  it('is refused for an application of another account', async () => {
    const { currentPath } = await render(`/internal/applications/${testData().bolt.application}`, { as: 'acme' })
    await waitFor(() => expect(currentPath()).not.toContain(testData().bolt.application))
    expect(screen.queryByText('bolt app')).toBeNull()
  })
})

describe('the page of a phone number', () => {
  it('shows where its calls go, and its calls', async () => {
    await writeCall()
    await writeCall({ call_sid: 'call-to-longer-number', to: '915550000011' })
    const { user, currentPath } = await render('/internal/phone-numbers', { as: 'north' })
    await user.click(await screen.findByRole('link', { name: '(555) 000-0011' }))
    await findTitle('(555) 000-0011')
    expect(currentPath()).toBe(`/internal/phone-numbers/${testData().acme.phone_number}`)
    const main = within(screen.getByRole('main'))
    expect(await main.findByRole('link', { name: 'acme app' })).toBeTruthy()
    expect(await main.findByRole('link', { name: 'acme trunk' })).toBeTruthy()
    const week = await findPanel('Last 7 days')
    expect((await week.findByRole('link', { name: /^Calls 1/ })).getAttribute('href')).toMatch(/number=%2B15550000011$/)
    const callsTab = await (await findTabs()).findByRole('link', { name: 'Calls of (555) 000-0011' })
    expect(callsTab.getAttribute('href')).toBe('/internal/recent-calls?date=7&number=%2B15550000011')
    const calls = await findPanel('Recent calls')
    expect(await calls.findByText('200')).toBeTruthy()
    await user.click(calls.getByRole('link', { name: '(617) 555-0192 → (555) 000-0011' }))
    // beside the same calls as in the panel
    expect(await (await findPanel('Call')).findByText('call-of-pages')).toBeTruthy()
    expect(new URLSearchParams(currentPath().split('?')[1]).toString()).toBe('date=30&number=%2B15550000011')
    await waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Recent calls 1'))
  })

  it('searches calls by text in front of a v1 server, which has no filter by number', async () => {
    const v1Server = await startV1Server(backend().app, undefined, /\/Abilities$/)
    try {
      await writeCall()
      await render(`/internal/phone-numbers/${testData().acme.phone_number}`, {
        as: 'north',
        features: { apiBaseUrl: v1Server.apiBaseUrl },
      })
      const callsTab = await (await findTabs()).findByRole('link', { name: 'Calls of (555) 000-0011' })
      expect(callsTab.getAttribute('href')).toBe('/internal/recent-calls?date=7&text=15550000011')
      expect((await (await findPanel('Recent calls')).findAllByText('200')).length).toBeGreaterThan(0)
    } finally {
      v1Server.close()
    }
  })

  it('has no actions for a view-only user', async () => {
    await render(`/internal/phone-numbers/${testData().acme.phone_number}`, { as: 'viewer' })
    await findTitle('(555) 000-0011')
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Delete', hidden: true })).toBeNull()
  })
})

describe('the page of a user', () => {
  it('shows how the user signs in, and the other users of the account', async () => {
    const { user, currentPath } = await render(`/internal/users/${testData().users.acme}`, { as: 'north' })
    const name = (await screen.findByRole('heading', { level: 1 })).textContent
    const signIn = await findPanel('Sign-in')
    expect(signIn.getByText('Password change')).toBeTruthy()
    expect(within(screen.getByRole('main')).getByText('Active')).toBeTruthy()
    const otherUsers = await findPanel('Other users of this account')
    expect(otherUsers.getByRole('link', { name: 'All users' }).getAttribute('href')).toBe(
      `/internal/users?account=${testData().accounts.acme}`,
    )
    expect(otherUsers.queryByRole('link', { name })).toBeNull()
    await user.keyboard('e')
    await findTitle('Edit user')
    expect(currentPath()).toBe(`/internal/users/${testData().users.acme}/edit`)
  })

  it('is refused for a user of another provider', async () => {
    const { currentPath } = await render(`/internal/users/${testData().users.acme}`, { as: 'south' })
    await screen.findByText(access.noAccess)
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
  })
})

describe('the pages in front of a v1 server', () => {
  let v1Server: Awaited<ReturnType<typeof startV1Server>>
  beforeAll(async () => {
    v1Server = await startV1Server(backend().app, undefined, /\/(Abilities|RecentCallOverview|AlertGroups)$/)
  })
  afterAll(() => v1Server.close())

  it('show no calls of other applications, because that server cannot filter by application', async () => {
    await writeCall()
    const path = `/internal/applications/${testData().acme.application}`
    await render(path, { as: 'north', features: { apiBaseUrl: v1Server.apiBaseUrl } })
    await findTitle('acme app')
    await (await findPanel('Used by')).findByRole('link', { name: '(555) 000-0011' })
    expect(screen.queryByRole('region', { name: 'Recent calls' })).toBeNull()
    expect((await findTabs()).queryByRole('link', { name: /^Calls/ })).toBeNull()
    expect(v1Server.requests.filter((request) => request.includes('RecentCalls'))).toEqual([])
  })
})

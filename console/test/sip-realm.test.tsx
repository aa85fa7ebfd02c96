import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { requestUrl } from './hold-requests'
import { useHostedBackend } from './hosted-backend'

const { render, backend, testData } = useHostedBackend()

const features = { hosted: true }

beforeEach(() => setRealm('acme', null))
afterEach(() => vi.restoreAllMocks())

const setRealm = (account: 'acme' | 'bolt', sip_realm: string | null) =>
  backend()
    .database.db.updateTable('accounts')
    .set({ sip_realm })
    .where('account_sid', '=', testData().accounts[account])
    .execute()
const readRealm = async () =>
  (
    await backend()
      .database.db.selectFrom('accounts')
      .select('sip_realm')
      .where('account_sid', '=', testData().accounts.acme)
      .executeTakeFirstOrThrow()
  ).sip_realm

/** Records the requests that match, and answers them with `respond` if it returns a response. */
const spyOnRequests = (
  path: string,
  respond: (url: string) => Promise<Response> | Response | undefined = () => undefined,
) => {
  const urls: string[] = []
  const send = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = requestUrl(input)
    if (!url.includes(path)) return send(input, init)
    urls.push(url)
    const response = respond(url)
    return response ? Promise.resolve(response) : send(input, init)
  })
  return urls
}
const jsonResponse = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

const chooserPath = '/register/choose-a-subdomain'
const realmPath = () => `/internal/accounts/${testData().accounts.acme}/sip-realm/edit`
const accountPath = () => `/internal/accounts/${testData().accounts.acme}/edit`
const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name })
const getCompleteButton = () => screen.getByRole('button', { name: 'Complete Registration →' })

describe('choosing a subdomain', () => {
  it('shows the root domain, and what a device signs in as', async () => {
    const { user } = await render(chooserPath, { as: 'acme', features })
    await findTitle('Choose a subdomain')
    expect(await screen.findByText('.sip.example.com')).toBeTruthy()
    expect(screen.getByText('At least 3 characters: letters, digits and hyphens.')).toBeTruthy()
    expect(screen.getByText('Step 3 of 3')).toBeTruthy()
    await user.type(screen.getByLabelText('Subdomain'), 'Bramble')
    expect(screen.getByText('1001@bramble.sip.example.com')).toBeTruthy()
  })

  it('checks the name once the user stops typing, from three characters', async () => {
    const urls = spyOnRequests('/Availability')
    const { user } = await render(chooserPath, { as: 'acme', features })
    await screen.findByText('.sip.example.com')
    const field = screen.getByLabelText('Subdomain')
    await user.type(field, 'br')
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(urls).toEqual([])
    expect(getCompleteButton().getAttribute('aria-disabled')).toBe('true')
    await user.type(field, 'amble')
    expect(await screen.findByText('is available')).toBeTruthy()
    expect(urls.map((url) => new URL(url).searchParams.get('value'))).toEqual(['bramble.sip.example.com'])
    expect(getCompleteButton().getAttribute('aria-disabled')).not.toBe('true')
  })

  it('shows that a name belongs to another account, and saves nothing', async () => {
    await setRealm('bolt', 'bolt.sip.example.com')
    const { user } = await render(chooserPath, { as: 'acme', features })
    await screen.findByText('.sip.example.com')
    const field = screen.getByLabelText('Subdomain')
    await user.type(field, 'bolt')
    expect(await screen.findByText(/is already taken. Try another name\./)).toBeTruthy()
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await user.click(getCompleteButton())
    expect(document.activeElement).toBe(field)
    expect(await readRealm()).toBeNull()
  })

  it('marks an invalid name, without a request', async () => {
    const urls = spyOnRequests('/Availability')
    const { user } = await render(chooserPath, { as: 'acme', features })
    await screen.findByText('.sip.example.com')
    await user.type(screen.getByLabelText('Subdomain'), 'my_company')
    expect(await screen.findByText('Use letters, digits and hyphens only.')).toBeTruthy()
    expect(screen.getByLabelText('Subdomain').getAttribute('aria-invalid')).toBe('true')
    expect(urls).toEqual([])
  })

  it('shows a failed check, and checks again', async () => {
    let hasFailure = true
    spyOnRequests('/Availability', () => (hasFailure ? jsonResponse({}, 500) : undefined))
    const { user } = await render(chooserPath, { as: 'acme', features })
    await screen.findByText('.sip.example.com')
    await user.type(screen.getByLabelText('Subdomain'), 'bramble')
    await user.click(await screen.findByRole('button', { name: 'Check again' }))
    await waitFor(() =>
      expect(screen.getAllByText(/^Something went wrong, please try again\./).length).toBeGreaterThan(1),
    )
    expect(screen.getByLabelText('Subdomain').getAttribute('aria-invalid')).toBe('true')
    hasFailure = false
    await user.click(screen.getByRole('button', { name: 'Check again' }))
    expect(await screen.findByText('is available')).toBeTruthy()
  })

  it('ignores the response for an earlier name', async () => {
    let answerFirst = (_: Response) => {}
    spyOnRequests('/Availability', (url) =>
      url.includes('first') ? new Promise<Response>((resolve) => (answerFirst = resolve)) : undefined,
    )
    const { user } = await render(chooserPath, { as: 'acme', features })
    await screen.findByText('.sip.example.com')
    const field = screen.getByLabelText('Subdomain')
    await user.type(field, 'first')
    await screen.findByText(/^Checking/)
    await user.clear(field)
    await user.type(field, 'second')
    expect(await screen.findByText('is available')).toBeTruthy()
    answerFirst(jsonResponse({ available: false }))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(screen.getByText('second.sip.example.com')).toBeTruthy()
    expect(screen.queryByText(/is already taken/)).toBeNull()
  })

  it('completes the registration', async () => {
    const { user, currentPath } = await render(chooserPath, { as: 'acme', features })
    await screen.findByText('.sip.example.com')
    await user.type(screen.getByLabelText('Subdomain'), 'Acme-Voice')
    await screen.findByText('is available')
    await user.click(getCompleteButton())
    await findTitle('Edit account')
    expect(currentPath()).toBe(accountPath())
    expect(await readRealm()).toBe('acme-voice.sip.example.com')
  })

  it('continues if the server stored the realm although its response was an error', async () => {
    const { user, currentPath } = await render(chooserPath, { as: 'acme', features })
    await screen.findByText('.sip.example.com')
    await user.type(screen.getByLabelText('Subdomain'), 'stored')
    await screen.findByText('is available')
    await setRealm('acme', 'stored.sip.example.com')
    spyOnRequests('/SipRealms/', () => jsonResponse({ msg: 'DNS failed' }, 500))
    await user.click(getCompleteButton())
    await waitFor(() => expect(currentPath()).toBe(accountPath()))
  })

  it('opens the account if it has a realm already', async () => {
    await setRealm('acme', 'acme.sip.example.com')
    const { currentPath } = await render(chooserPath, { as: 'acme', features })
    await findTitle('Edit account')
    expect(currentPath()).toBe(accountPath())
  })

  it('continues to the account if the installation has no root domain', async () => {
    spyOnRequests('/Users/me', () => jsonResponse({ user: {}, account: { root_domain: null } }))
    await render(chooserPath, { as: 'acme', features })
    const link = await screen.findByRole('link', { name: 'Continue to your account' })
    expect(link.getAttribute('href')).toBe(accountPath())
    expect(screen.queryByLabelText('Subdomain')).toBeNull()
  })

  it('requires a session', async () => {
    const { currentPath } = await render(chooserPath, { features })
    await findTitle('Log in')
    expect(currentPath()).toBe('/')
    expect(await screen.findByText('You must log in to view that page')).toBeTruthy()
  })
})

describe('after sign-in', () => {
  it.each([
    [null, chooserPath],
    ['acme.sip.example.com', undefined],
  ])('an account with the realm %s opens its landing page', async (realm, path) => {
    await setRealm('acme', realm)
    const { currentPath } = await render('/internal', { as: 'acme', features })
    await waitFor(() => expect(currentPath()).toBe(path ?? accountPath()))
  })

  it('opens the account, as without the hosted edition, for a view-only user', async () => {
    const { currentPath } = await render('/internal', { as: 'viewer', features })
    await waitFor(() => expect(currentPath()).toBe(accountPath()))
  })

  it('opens the account without the hosted edition', async () => {
    const { currentPath } = await render('/internal', { as: 'acme' })
    await waitFor(() => expect(currentPath()).toBe(accountPath()))
  })
})

describe('changing the SIP realm', () => {
  beforeEach(() => setRealm('acme', 'acme.sip.example.com'))

  it('is offered on the account form, where the realm is read-only', async () => {
    const { user, currentPath } = await render(accountPath(), { as: 'acme', features })
    const field = await screen.findByLabelText<HTMLInputElement>('SIP realm')
    expect(field.readOnly).toBe(true)
    await user.click(screen.getByRole('link', { name: 'Change Sip Realm' }))
    await findTitle('Change Sip Realm')
    expect(currentPath()).toBe(realmPath())
  })

  it('is not offered without the hosted edition', async () => {
    await render(accountPath(), { as: 'acme' })
    await screen.findByLabelText('SIP realm')
    expect(screen.queryByRole('link', { name: 'Change Sip Realm' })).toBeNull()
  })

  it('names the clients that stop working, and asks', async () => {
    const { user, currentPath } = await render(realmPath(), { as: 'acme', features })
    expect(await screen.findByText('1 client registers with acme.sip.example.com')).toBeTruthy()
    await user.type(screen.getByLabelText(/^New subdomain/), 'acme')
    expect(await screen.findByText('is your SIP realm now.')).toBeTruthy()
    await user.type(screen.getByLabelText(/^New subdomain/), '2')
    await screen.findByText('is available')
    await user.click(screen.getByRole('button', { name: 'Change Sip Realm' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain('1 client registers with acme.sip.example.com')
    await user.click([...dialog.querySelectorAll('button')].at(-1)!)
    expect(await screen.findByText('SIP realm changed to acme2.sip.example.com')).toBeTruthy()
    expect(currentPath()).toBe(accountPath())
    expect((await screen.findByLabelText<HTMLInputElement>('SIP realm')).value).toBe('acme2.sip.example.com')
    expect(await readRealm()).toBe('acme2.sip.example.com')
  })

  it('is refused to a view-only user, with the reason', async () => {
    await render(realmPath(), { as: 'viewer', features })
    await findTitle('SIP realm')
    expect(screen.getByText('You do not have permissions to make changes to this Account')).toBeTruthy()
  })

  it('is refused for another account', async () => {
    const { currentPath } = await render(`/internal/accounts/${testData().accounts.bolt}/sip-realm/edit`, {
      as: 'acme',
      features,
    })
    expect(await screen.findByText('You do not have access.')).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe(accountPath()))
  })
})

describe('an account without a SIP realm', () => {
  it('links to the realm from the list of SIP clients', async () => {
    await render('/internal/clients', { as: 'acme', features })
    const sentence = await screen.findByText(
      /You need to associate a sip realm to this account in order to add sip credentials\./,
    )
    expect(sentence.querySelector('a')?.getAttribute('href')).toBe(realmPath())
  })

  it('links to the realm from the form of a SIP client', async () => {
    await render('/internal/clients/add', { as: 'acme', features })
    const message = await screen.findByText(/Sip realm is not set for the account\./)
    expect(message.querySelector('a')?.getAttribute('href')).toBe(realmPath())
  })
})

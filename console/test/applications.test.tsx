import { screen, waitFor, within } from '@testing-library/react'
import type { Application } from '@trunkline/contract/shapes/application'
import { describe, expect, it, vi } from 'vitest'
import { holdRequests } from './hold-requests'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend()

const findField = (name: string) => screen.findByRole('textbox', { name })
const findButton = (name: string | RegExp) => screen.findByRole('button', { name })
/** jsdom has no layout, so options of an open list count as hidden. */
const findOption = (name: string) => screen.findByRole('option', { name, hidden: true })
/** Waits until Save is no longer busy. */
const waitUntilSaved = async () =>
  waitFor(async () => expect((await findButton('Save')).getAttribute('aria-busy')).toBeNull())
const editPath = (sid: string) => `/internal/applications/${sid}/edit`
const readApplication = (sid: string) => requestAs<Application>('admin', 'GET', `/Applications/${sid}`)

const webhooks = {
  call_hook: { url: 'https://a.example.com/call', method: 'GET', username: 'caller', password: 's3cret' },
  call_status_hook: { url: 'https://a.example.com/status', method: 'POST' },
}
const addApplication = async (draft: object) =>
  (
    await requestAs<{ sid: string }>('admin', 'POST', '/Applications', {
      account_sid: testData().accounts.acme,
      ...webhooks,
      ...draft,
    })
  ).sid

describe('the list of applications', () => {
  it("shows the provider's applications with their accounts and webhooks", async () => {
    await render('/internal/applications', { as: 'north' })
    const row = await screen.findByRole('row', { name: /bolt app/ })
    expect(within(row).getByRole('link', { name: 'bolt' }).getAttribute('href')).toBe(
      `/internal/accounts/${testData().accounts.bolt}`,
    )
    expect(within(row).getByText('https://bolt.example.com/call')).toBeTruthy()
    expect(within(row).getByRole('button', { name: 'Delete bolt app' })).toBeTruthy()
    expect(screen.queryByText('corp app')).toBeNull()
  })

  it('filters by account', async () => {
    await render(`/internal/applications?account=${testData().accounts.acme}`, { as: 'north' })
    await screen.findByRole('row', { name: /acme app/ })
    expect(screen.queryByRole('row', { name: /bolt app/ })).toBeNull()
  })

  it('shows an account user only their own applications, without the account column', async () => {
    await render('/internal/applications', { as: 'acme' })
    await screen.findByRole('row', { name: /acme app/ })
    expect(screen.queryByRole('row', { name: /bolt app/ })).toBeNull()
    expect(screen.queryByRole('columnheader', { name: 'Account' })).toBeNull()
  })

  it('does not delete an application in use, and links to its dependents', async () => {
    const { user } = await render('/internal/applications', { as: 'north' })
    await user.click(await findButton('Delete acme app'))
    await user.click(await findButton('Delete'))
    const dialog = await screen.findByRole('alertdialog', { name: "acme app can't be deleted" })
    expect(within(dialog).getByRole('link').getAttribute('href')).toBe(
      `/internal/phone-numbers/${testData().acme.phone_number}`,
    )
  })

  it('deletes an application without dependents', async () => {
    await addApplication({ name: 'spare' })
    const { user } = await render('/internal/applications', { as: 'north' })
    await user.click(await findButton('Delete spare'))
    await user.click(await findButton('Delete'))
    expect(await screen.findByText('Deleted application spare')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('row', { name: /spare/ })).toBeNull())
  })
})

describe('at a service provider without accounts', () => {
  const missingAccountHint = 'Applications need an account. Add an account first.'

  it.each(['/internal/applications', '/internal/applications/add'])(
    '%s offers to add an account first',
    async (path) => {
      const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/ServiceProviders', { name: 'Empty provider' })
      localStorage.setItem('activeServiceProvider', sid)
      await render(path, { as: 'admin' })
      expect(await screen.findByText(missingAccountHint)).toBeTruthy()
      expect(screen.getByRole('link', { name: 'Add account' }).getAttribute('href')).toBe('/internal/accounts/add')
      expect(screen.queryByRole('link', { name: 'Add application' })).toBeNull()
      await requestAs('admin', 'DELETE', `/ServiceProviders/${sid}`)
    },
  )
})

describe('adding the first application', () => {
  it('shows no message of an empty list until the new application is in it', async () => {
    const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/ServiceProviders', { name: 'New provider' })
    const account = await requestAs<{ sid: string }>('admin', 'POST', '/Accounts', {
      name: 'first account',
      service_provider_sid: sid,
    })
    localStorage.setItem('activeServiceProvider', sid)
    const { user, currentPath } = await render('/internal/applications', { as: 'admin' })
    await screen.findByRole('heading', { name: 'No applications.' })
    await user.click(screen.getByRole('link', { name: 'Add application' }))
    await user.type(await findField('Application name'), 'first desk')
    await user.click(await screen.findByRole('combobox', { name: 'Account' }))
    await user.click(await findOption('first account'))
    await user.type(await findField('Calling webhook'), 'https://first.example.com/call')
    await user.type(await findField('Call status webhook'), 'https://first.example.com/status')
    const releaseList = holdRequests('GET', `/ServiceProviders/${sid}/Applications`)
    await user.click(await findButton('Save'))
    await screen.findByText('Application created successfully')
    await waitFor(() => expect(currentPath()).toBe('/internal/applications'))
    await screen.findByRole('heading', { name: 'Applications', level: 1 })
    expect(screen.queryByRole('heading', { name: 'No applications.' })).toBeNull()
    releaseList()
    const row = await screen.findByRole('row', { name: /first desk/ })
    vi.restoreAllMocks()
    expect(within(row).getByRole('link', { name: 'first account' })).toBeTruthy()
    for (const url of [
      ...(await requestAs<Application[]>('admin', 'GET', `/ServiceProviders/${sid}/Applications`)).map(
        ({ application_sid }) => `/Applications/${application_sid}`,
      ),
      `/Accounts/${account.sid}`,
      `/ServiceProviders/${sid}`,
    ])
      await requestAs('admin', 'DELETE', url)
  })
})

describe('adding an application', () => {
  it('marks only the missing required fields', async () => {
    const { user } = await render('/internal/applications/add', { as: 'north' })
    const name = await findField('Application name')
    await user.click(await findButton('Save'))
    for (const label of ['Application name', 'Account', 'Calling webhook', 'Call status webhook'])
      expect(await screen.findByText(`${label} is required.`)).toBeTruthy()
    expect(screen.getByText('4 fields need attention')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(name))
    expect(within(screen.getByRole('region', { name: 'Notifications' })).queryByText(/./)).toBeNull()
  })

  it("saves an application for the chosen account, with the server's default speech settings", async () => {
    const { user, currentPath } = await render('/internal/applications/add', { as: 'north' })
    await user.type(await findField('Application name'), 'front desk')
    await user.click(await screen.findByRole('combobox', { name: 'Account' }))
    await user.click(await findOption('bolt'))
    await user.type(await findField('Calling webhook'), 'wss://bolt.example.com/desk')
    await user.type(await findField('Call status webhook'), 'https://bolt.example.com/desk/status')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Application created successfully')).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe('/internal/applications'))
    const applications = await requestAs<Application[]>('north', 'GET', '/Applications')
    expect(applications.find((application) => application.name === 'front desk')).toMatchObject({
      account_sid: testData().accounts.bolt,
      call_hook: { url: 'wss://bolt.example.com/desk', method: 'POST', username: null, password: null },
      messaging_hook: null,
      app_json: null,
      speech_synthesis_vendor: 'google',
    })
  })

  it('refuses a duplicate name in the account', async () => {
    const { user } = await render('/internal/applications/add', { as: 'acme' })
    await user.type(await findField('Application name'), 'acme app')
    expect(screen.queryByRole('combobox', { name: 'Account' })).toBeNull()
    await user.type(await findField('Calling webhook'), 'https://acme.example.com/a')
    await user.type(await findField('Call status webhook'), 'https://acme.example.com/b')
    await user.click(await findButton('Save'))
    expect(
      await screen.findByText('The name you have entered is already in use on another one of your applications.'),
    ).toBeTruthy()
  })

  it('requires a password with the username, and URLs with a supported protocol', async () => {
    const { user } = await render('/internal/applications/add', { as: 'acme' })
    await user.type(await findField('Application name'), 'guarded')
    await user.type(await findField('Calling webhook'), 'ftp://acme.example.com')
    await user.type(await findField('Call status webhook'), 'https://acme.example.com/b')
    await user.click((await screen.findAllByRole('checkbox', { name: 'Use HTTP basic authentication' }))[0]!)
    await user.type(await findField('Username'), 'caller')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Enter a URL that starts with http://, https://, ws:// or wss://.')).toBeTruthy()
    expect(screen.getByText('Password is required.')).toBeTruthy()
  })
})

describe('duplicating an application', () => {
  it('copies all settings under a new name', async () => {
    const speechSettings = { speech_synthesis_language: 'de-DE', speech_synthesis_voice: 'de-DE-Standard-A' }
    const sid = await addApplication({ name: 'Harbour', record_all_calls: 1, ...speechSettings })
    const { user, currentPath } = await render(editPath(sid), { as: 'north' })
    await user.click(await screen.findByRole('link', { name: 'Duplicate' }))
    await screen.findByRole('heading', { name: 'Add application' })
    expect(await findField('Application name')).toHaveProperty('value', 'Copy of Harbour')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Application created successfully')).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe('/internal/applications'))
    const applications = await requestAs<Application[]>('admin', 'GET', '/Applications')
    const {
      application_sid: _,
      created_at: __,
      call_hook,
      call_status_hook,
      messaging_hook,
      ...settings
    } = await readApplication(sid)
    const copy = applications.find(({ name }) => name === 'Copy of Harbour')
    expect(copy).toMatchObject({ ...settings, name: 'Copy of Harbour' })
    expect(copy).toMatchObject(webhooks)
    expect(messaging_hook).toBeNull()
    // the copy has its own webhooks, so changing one does not affect the other
    expect(copy?.call_hook?.webhook_sid).not.toBe(call_hook?.webhook_sid)
    expect(copy?.call_status_hook?.webhook_sid).not.toBe(call_status_hook?.webhook_sid)
  })
})

describe('editing an application', () => {
  it('saves the changed field, and keeps speech settings and secrets', async () => {
    const sid = await addApplication({
      name: 'keeper',
      speech_synthesis_vendor: 'microsoft',
      speech_synthesis_voice: 'en-US-AvaNeural',
      use_for_fallback_speech: 1,
      fallback_speech_synthesis_vendor: 'aws',
      fallback_speech_synthesis_language: 'en-US',
      fallback_speech_synthesis_voice: 'Joanna',
      record_all_calls: 1,
      env_vars: { greeting: 'hello' },
    })
    const applicationBefore = await readApplication(sid)
    const { user } = await render(editPath(sid), { as: 'north' })
    await user.type(await findField('Application name'), ' two')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    expect(await readApplication(sid)).toEqual({ ...applicationBefore, name: 'keeper two' })
  })

  it('sets and clears the messaging webhook', async () => {
    const sid = await addApplication({ name: 'texts' })
    const { user } = await render(editPath(sid), { as: 'north' })
    await user.type(await findField('Messaging webhook'), 'https://a.example.com/text')
    await user.click(await findButton('Save'))
    await waitFor(async () =>
      expect((await readApplication(sid)).messaging_hook?.url).toBe('https://a.example.com/text'),
    )
    await waitUntilSaved()
    await user.clear(await findField('Messaging webhook'))
    await user.click(await findButton('Save'))
    await waitFor(async () => expect((await readApplication(sid)).messaging_hook).toBeNull())
  })

  it('keeps text that is typed during a save', async () => {
    const sid = await addApplication({ name: 'slow' })
    const { user } = await render(editPath(sid), { as: 'north' })
    await user.type(await findField('Application name'), ' and steady')
    await user.click(await findButton('Save'))
    await user.type(await findField('Messaging webhook'), 'https://a.example.com/late')
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    await waitUntilSaved()
    expect(((await findField('Messaging webhook')) as HTMLInputElement).value).toBe('https://a.example.com/late')
    await user.click(await findButton('Save'))
    await waitFor(async () =>
      expect((await readApplication(sid)).messaging_hook?.url).toBe('https://a.example.com/late'),
    )
    expect((await readApplication(sid)).name).toBe('slow and steady')
  })

  it('validates the app JSON', async () => {
    const sid = await addApplication({ name: 'app with JSON', app_json: '[{"verb":"say","text":"hello"}]' })
    const { user } = await render(editPath(sid), { as: 'north' })
    const verbsField = await findField('Verbs')
    expect((verbsField as HTMLTextAreaElement).value).toContain('"text": "hello"')
    const saveVerbs = async (text: string) => {
      await user.clear(verbsField)
      await user.click(verbsField)
      await user.paste(text)
      await user.click(await findButton('Save'))
      await waitUntilSaved()
    }
    await saveVerbs('[{"verb":"play"}]')
    expect(await screen.findByText('play: missing value for url')).toBeTruthy()
    await saveVerbs('{"verb":"say"}')
    expect(await screen.findByText('The JSON must be a list of verbs, such as [{ "verb": "answer" }].')).toBeTruthy()
    await saveVerbs('[')
    expect(await screen.findByText(/^This is not valid JSON: /)).toBeTruthy()
    await saveVerbs('[{"verb":"hangup"}]')
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    expect((await readApplication(sid)).app_json).toBe('[{"verb":"hangup"}]')
  })

  it('saves an unknown verb, and notes that it is not checked', async () => {
    const sid = await addApplication({ name: 'newer engine', app_json: '[{"verb":"fly","to":"the moon"}]' })
    const { user } = await render(editPath(sid), { as: 'north' })
    expect(
      await screen.findByText('The console cannot check fly. Make sure that your voice servers support this verb.'),
    ).toBeTruthy()
    await user.type(await findField('Application name'), ' 2')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    expect((await readApplication(sid)).app_json).toContain('the moon')
  })

  it('refuses an account user access to an application of another account', async () => {
    const { currentPath } = await render(editPath(testData().bolt.application), { as: 'acme' })
    expect(await screen.findByText('You do not have access.')).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe(`/internal/accounts/${testData().accounts.acme}/edit`))
  })
})

import { screen, waitFor, within } from '@testing-library/react'
import type { Account } from '@trunkline/contract/shapes/account'
import { describe, expect, it } from 'vitest'
import { password } from '../../server/test/test-data'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend()

const acmeApiPath = () => `/Accounts/${testData().accounts.acme}`
const acmeEditPath = () => `/internal/accounts/${testData().accounts.acme}/edit`
const readAcme = () => requestAs<Account>('admin', 'GET', acmeApiPath())
const findField = (name: string) => screen.findByRole('textbox', { name })
const findButton = (name: string | RegExp) => screen.findByRole('button', { name })
/** jsdom has no layout, so options of an open list count as hidden. */
const findOption = (name: string) => screen.findByRole('option', { name, hidden: true })
const addAccount = (draft: object) =>
  requestAs<{ sid: string }>('admin', 'POST', '/Accounts', {
    service_provider_sid: testData().providers.north,
    ...draft,
  })

describe('the list of accounts', () => {
  it('shows status, plan, recording and SIP realm', async () => {
    await addAccount({ name: 'Cedar', plan_type: 'paid', is_active: 0, record_all_calls: 1, record_format: 'wav' })
    await render('/internal/accounts', { as: 'north' })
    const row = await screen.findByRole('row', { name: /Cedar/ })
    for (const text of ['Inactive', 'Paid', 'None', 'wav']) expect(within(row).getByText(text)).toBeTruthy()
    const acmeRow = screen.getByRole('row', { name: /acme/ })
    for (const text of ['Active', 'Trial', 'acme.example.com', testData().accounts.acme, 'Off'])
      expect(within(acmeRow).getByText(text)).toBeTruthy()
    expect(screen.queryByText('corp')).toBeNull()
  })

  it('filters by status, and keeps the filter in the URL', async () => {
    const { user, currentPath } = await render('/internal/accounts?is_active=0', { as: 'north' })
    await screen.findByRole('row', { name: /Cedar/ })
    expect(screen.queryByRole('row', { name: /acme/ })).toBeNull()
    await user.click(await screen.findByRole('combobox', { name: 'Status' }))
    await user.click(await findOption('Active'))
    await screen.findByRole('row', { name: /acme/ })
    expect(screen.queryByRole('row', { name: /Cedar/ })).toBeNull()
    expect(currentPath()).toBe('/internal/accounts?is_active=1')
  })

  it('does not delete an account in use, and links to its dependents', async () => {
    const { user } = await render('/internal/accounts', { as: 'north' })
    await user.click(await findButton('Delete acme'))
    const dialog = await screen.findByRole('alertdialog', { name: "acme can't be deleted" })
    const links = within(dialog)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'))
    expect(links).toContain(`/internal/phone-numbers/${testData().acme.phone_number}`)
    expect(links).toContain(`/internal/applications/${testData().acme.application}`)
    expect(links).toContain(`${acmeEditPath()}#${testData().acme.api_key}`)
    expect((await readAcme()).name).toBe('acme')
  })

  it('deletes an account without dependents', async () => {
    await addAccount({ name: 'Dunmore' })
    const { user } = await render('/internal/accounts', { as: 'north' })
    await user.click(await findButton('Delete Dunmore'))
    await user.click(await findButton('Delete'))
    expect(await screen.findByText('Deleted account Dunmore')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('row', { name: /Dunmore/ })).toBeNull())
  })
})

describe('adding an account', () => {
  it('requires a name', async () => {
    const { user } = await render('/internal/accounts/add', { as: 'north' })
    const name = await findField('Account name')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Account name is required.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(name))
  })

  it('refuses a duplicate account name and a duplicate SIP realm', async () => {
    const { user } = await render('/internal/accounts/add', { as: 'north' })
    await user.type(await findField('Account name'), 'acme')
    await user.click(await findButton('Save'))
    expect(
      await screen.findByText('The name you have entered is already in use on another one of your accounts.'),
    ).toBeTruthy()
    await user.type(await findField('Account name'), ' two')
    await user.type(await findField('SIP realm'), 'CORP.example.com')
    await user.click(await findButton('Save'))
    expect(
      await screen.findByText('The SIP Realm you have entered is already in use on another one of your accounts.'),
    ).toBeTruthy()
    expect(await requestAs<Account[]>('north', 'GET', '/Accounts')).not.toContainEqual(
      expect.objectContaining({ name: 'acme two' }),
    )
  })

  it('saves, and opens the new account', async () => {
    const { user, currentPath } = await render('/internal/accounts/add', { as: 'north' })
    await user.type(await findField('Account name'), 'Eastgate')
    await user.type(await findField('SIP realm'), 'Eastgate.Example.com')
    await user.type(await findField('Queue event webhook'), 'https://eastgate.example.com/queue')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Account created successfully')).toBeTruthy()
    await screen.findByRole('heading', { name: 'Edit account' })
    const sid = /accounts\/([^/]+)\/edit$/.exec(currentPath())?.[1]
    expect(await requestAs<Account>('north', 'GET', `/Accounts/${sid}`)).toMatchObject({
      name: 'Eastgate',
      sip_realm: 'eastgate.example.com',
      service_provider_sid: testData().providers.north,
      registration_hook: null,
      queue_event_hook: { url: 'https://eastgate.example.com/queue', method: 'POST', username: null, password: null },
    })
  })
})

describe('editing an account', () => {
  it('explains its sections', async () => {
    await render(`/internal/accounts/${testData().accounts.acme}/edit`, { as: 'north' })
    await screen.findByText('Name and SIP domain of the account.')
    await screen.findByText(/^HTTP requests that the platform sends to your servers/)
    await screen.findByText('Applications that handle calls from the SIP clients of this account.')
  })

  it('saves the changed field and keeps the rest, including secrets', async () => {
    const webhook = { url: 'https://acme.example.com/register', method: 'GET', username: 'acme', password: 's3cret' }
    await requestAs('admin', 'PUT', acmeApiPath(), { registration_hook: webhook, record_format: 'wav' })
    const accountBefore = await readAcme()
    const { user } = await render(acmeEditPath(), { as: 'north' })
    await user.type(await findField('SIP realm'), '.uk')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Account updated successfully')).toBeTruthy()
    expect(await readAcme()).toEqual({ ...accountBefore, sip_realm: 'acme.example.com.uk' })
  })

  it("offers only the account's own applications for SIP clients", async () => {
    const { user } = await render(acmeEditPath(), { as: 'north' })
    for (const name of ['Application for calls from SIP clients', 'Application for SIPREC calls']) {
      await user.click(await screen.findByRole('combobox', { name }))
      const listbox = within(screen.getByRole('listbox', { name, hidden: true }))
      await user.click(await listbox.findByRole('option', { name: 'acme app', hidden: true }))
      expect(listbox.queryByRole('option', { name: 'bolt app', hidden: true })).toBeNull()
    }
    await user.click(await screen.findByRole('checkbox', { name: 'Enable debug log' }))
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Account updated successfully')).toBeTruthy()
    expect(await readAcme()).toMatchObject({
      device_calling_application_sid: testData().acme.application,
      siprec_hook_sid: testData().acme.application,
      enable_debug_log: 1,
    })
  })

  it('deletes the account from its form, and returns to the list', async () => {
    const { sid } = await addAccount({ name: 'Fernhill' })
    const { user, currentPath } = await render(`/internal/accounts/${sid}/edit`, { as: 'north' })
    await user.type(await findField('Account name'), ' changed')
    await user.click(await findButton('Delete'))
    const dialog = await screen.findByRole('alertdialog')
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Deleted account Fernhill')).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
    expect(screen.queryByText('Something went wrong, please try again.')).toBeNull()
  })

  it('refuses a provider user access to an account of another provider', async () => {
    const { currentPath } = await render(`/internal/accounts/${testData().accounts.corp}/edit`, { as: 'north' })
    expect(await screen.findByText('You do not have access.')).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
  })
})

describe('the panels beside the account form', () => {
  it('generate a new webhook signing secret after confirmation', async () => {
    const { webhook_secret } = await readAcme()
    const { user } = await render(acmeEditPath(), { as: 'acme' })
    await user.type(await findField('Account name'), ' typed')
    await user.click(await findButton('Generate a new secret'))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Webhook signing secret' }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect((await readAcme()).webhook_secret).toBe(webhook_secret)
    await user.click(await findButton('Generate a new secret'))
    await user.click(await findButton('Generate'))
    expect(await screen.findByText('Webhook signing secret was successfully generated')).toBeTruthy()
    const newSecret = (await readAcme()).webhook_secret
    expect(newSecret).not.toBe(webhook_secret)
    await user.click(await findButton('Show webhook signing secret'))
    expect(await screen.findByText(newSecret)).toBeTruthy()
    // the unsaved text in the form is still there
    expect((await findField('Account name')).getAttribute('value')).toMatch(/ typed$/)
  })

  it('show the end of the trial and the limits of the plan', async () => {
    await requestAs('admin', 'PUT', acmeApiPath(), { trial_end_date: '2027-01-05T12:00:00Z' })
    await requestAs('admin', 'POST', `${acmeApiPath()}/Limits`, { category: 'voice_call_session', quantity: 1200 })
    await requestAs('admin', 'POST', `${acmeApiPath()}/Limits`, { category: 'device', quantity: 0 })
    await render(acmeEditPath(), { as: 'acme' })
    const planPanel = within(await screen.findByRole('region', { name: 'Plan' }))
    for (const text of ['Trial', 'Jan 05, 2027', '1,200', 'Unlimited'])
      expect(await planPanel.findByText(text)).toBeTruthy()
    await requestAs('admin', 'PUT', acmeApiPath(), { trial_end_date: null })
  })

  it('show that a trial has expired', async () => {
    const { sid } = await addAccount({ name: 'Gorse', plan_type: 'free', is_active: 0 })
    await render(`/internal/accounts/${sid}/edit`, { as: 'north' })
    expect(await screen.findByText('Your free trial has expired. Please upgrade...')).toBeTruthy()
  })
})

describe('the limits of an account', () => {
  it('are saved with the account by an administrator, and must be whole numbers', async () => {
    const { user } = await render(acmeEditPath(), { as: 'admin', features: { allLimits: true } })
    const maxCalls = await findField('Max calls')
    await user.clear(maxCalls)
    await user.type(maxCalls, '-1')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Max calls must be a whole number, 0 or more.')).toBeTruthy()
    await user.clear(maxCalls)
    await user.type(maxCalls, '25')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Account updated successfully')).toBeTruthy()
    expect(await requestAs('admin', 'GET', `${acmeApiPath()}/Limits?category=voice_call_session`)).toMatchObject([
      { quantity: 25 },
    ])
  })

  it("are read-only for the account's own user", async () => {
    await render(acmeEditPath(), { as: 'acme', features: { allLimits: false } })
    const maxCalls = await findField('Max calls')
    expect(maxCalls.getAttribute('value')).toBe('25')
    expect(maxCalls.hasAttribute('readonly')).toBe(true)
  })
})

describe("an account's own user", () => {
  it('changes the account, but not its SIP realm', async () => {
    const { user } = await render(acmeEditPath(), { as: 'acme' })
    expect((await findField('SIP realm')).hasAttribute('readonly')).toBe(true)
    await user.type(await findField('Account name'), ' Ltd')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Account updated successfully')).toBeTruthy()
    expect((await readAcme()).name).toBe('acme Ltd')
    await requestAs('admin', 'PUT', acmeApiPath(), { name: 'acme' })
  })

  it('deletes the account only with the confirmation text, the right password and no dependents', async () => {
    const { user, currentPath } = await render(`/internal/accounts/${testData().accounts.bolt}/edit`, { as: 'bolt' })
    await user.click(await findButton('Delete'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete account' }))
    await user.type(dialog.getByLabelText(/Delete message/), 'delete account')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(dialog.getByText('You must type the delete message correctly in order to delete your account.')).toBeTruthy()
    expect(dialog.getByText('Password is required.')).toBeTruthy()
    await user.clear(dialog.getByLabelText(/Delete message/))
    await user.type(dialog.getByLabelText(/Delete message/), 'delete my account')
    await user.type(dialog.getByLabelText(/^Password/), 'wrong')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    const refusal = await screen.findByRole('alertdialog', { name: "bolt can't be deleted" })
    // tenants count even if the provider no longer has a domain for them
    for (const kind of ['Phone numbers', 'Microsoft Teams tenants', 'Applications', 'API keys'])
      expect(within(refusal).getByText(kind, { exact: false })).toBeTruthy()
    await user.click(within(refusal).getByText('Close'))

    await requestAs('admin', 'DELETE', `/PhoneNumbers/${testData().bolt.phone_number}`)
    await requestAs('admin', 'DELETE', `/MicrosoftTeamsTenants/${testData().bolt.ms_teams_tenant}`)
    await requestAs('admin', 'DELETE', `/Applications/${testData().bolt.application}`)
    await requestAs('admin', 'DELETE', `/ApiKeys/${testData().bolt.api_key}`)
    await user.click(await findButton('Delete'))
    const reopenedDialog = within(await screen.findByRole('dialog', { name: 'Delete account' }))
    await user.type(reopenedDialog.getByLabelText(/Delete message/), 'delete my account')
    await user.type(reopenedDialog.getByLabelText(/^Password/), 'wrong')
    await user.click(reopenedDialog.getByRole('button', { name: 'Delete' }))
    expect(await reopenedDialog.findByText('password is incorrect')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(reopenedDialog.getByLabelText(/^Password/)))
    await user.clear(reopenedDialog.getByLabelText(/^Password/))
    await user.type(reopenedDialog.getByLabelText(/^Password/), password)
    await user.click(reopenedDialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Deleted account bolt')).toBeTruthy()
    expect(await screen.findByText("You've successfully logged out.")).toBeTruthy()
    expect(currentPath()).toBe('/')
  })
})

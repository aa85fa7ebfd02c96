import { screen, waitFor, within } from '@testing-library/react'
import type { Account } from '@trunkline/contract/shapes/account'
import { describe, expect, it } from 'vitest'
import { password } from '../../server/test/world'
import { useBackend } from './render'

const { render, ask, world } = useBackend()

const acme = () => `/Accounts/${world().accounts.acme}`
const acmePage = () => `/internal/accounts/${world().accounts.acme}/edit`
const read = () => ask<Account>('admin', 'GET', acme())
const field = (name: string) => screen.findByRole('textbox', { name })
const press = (name: string | RegExp) => screen.findByRole('button', { name })
/** jsdom has no layout, so options of an open list count as hidden. */
const option = (name: string) => screen.findByRole('option', { name, hidden: true })
const add = (draft: object) =>
  ask<{ sid: string }>('admin', 'POST', '/Accounts', { service_provider_sid: world().providers.north, ...draft })

describe('the list of accounts', () => {
  it('shows status, plan, recording and SIP realm', async () => {
    await add({ name: 'Cedar', plan_type: 'paid', is_active: 0, record_all_calls: 1, record_format: 'wav' })
    await render('/internal/accounts', { as: 'north' })
    const row = await screen.findByRole('row', { name: /Cedar/ })
    for (const words of ['Inactive', 'Paid', 'None', 'wav']) expect(within(row).getByText(words)).toBeTruthy()
    const other = screen.getByRole('row', { name: /acme/ })
    for (const words of ['Active', 'Trial', 'acme.example.com', world().accounts.acme, 'Off'])
      expect(within(other).getByText(words)).toBeTruthy()
    expect(screen.queryByText('corp')).toBeNull()
  })

  it('filters by status, and keeps the filter in the URL', async () => {
    const { user, address } = await render('/internal/accounts?is_active=0', { as: 'north' })
    await screen.findByRole('row', { name: /Cedar/ })
    expect(screen.queryByRole('row', { name: /acme/ })).toBeNull()
    await user.click(await screen.findByRole('combobox', { name: 'Status' }))
    await user.click(await option('Active'))
    await screen.findByRole('row', { name: /acme/ })
    expect(screen.queryByRole('row', { name: /Cedar/ })).toBeNull()
    expect(address()).toBe('/internal/accounts?is_active=1')
  })

  it('does not delete an account in use, and links to its dependents', async () => {
    const { user } = await render('/internal/accounts', { as: 'north' })
    await user.click(await press('Delete acme'))
    const dialog = await screen.findByRole('alertdialog', { name: "acme can't be deleted" })
    const links = within(dialog)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'))
    expect(links).toContain(`/internal/phone-numbers/${world().acme.phone_number}/edit`)
    expect(links).toContain(`/internal/applications/${world().acme.application}/edit`)
    expect(links).toContain(`${acmePage()}#${world().acme.api_key}`)
    expect((await read()).name).toBe('acme')
  })

  it('deletes an account without dependents', async () => {
    await add({ name: 'Dunmore' })
    const { user } = await render('/internal/accounts', { as: 'north' })
    await user.click(await press('Delete Dunmore'))
    await user.click(await press('Delete'))
    expect(await screen.findByText('Deleted account Dunmore')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('row', { name: /Dunmore/ })).toBeNull())
  })
})

describe('adding an account', () => {
  it('requires a name', async () => {
    const { user } = await render('/internal/accounts/add', { as: 'north' })
    const name = await field('Account name')
    await user.click(await press('Save'))
    expect(await screen.findByText('Account name is required.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(name))
  })

  it('refuses a duplicate account name and a duplicate SIP realm', async () => {
    const { user } = await render('/internal/accounts/add', { as: 'north' })
    await user.type(await field('Account name'), 'acme')
    await user.click(await press('Save'))
    expect(
      await screen.findByText('The name you have entered is already in use on another one of your accounts.'),
    ).toBeTruthy()
    await user.type(await field('Account name'), ' two')
    await user.type(await field('SIP realm'), 'CORP.example.com')
    await user.click(await press('Save'))
    expect(
      await screen.findByText('The SIP Realm you have entered is already in use on another one of your accounts.'),
    ).toBeTruthy()
    expect(await ask<Account[]>('north', 'GET', '/Accounts')).not.toContainEqual(
      expect.objectContaining({ name: 'acme two' }),
    )
  })

  it('saves, and opens the new account', async () => {
    const { user, address } = await render('/internal/accounts/add', { as: 'north' })
    await user.type(await field('Account name'), 'Eastgate')
    await user.type(await field('SIP realm'), 'Eastgate.Example.com')
    await user.type(await field('Queue event webhook'), 'https://eastgate.example.com/queue')
    await user.click(await press('Save'))
    expect(await screen.findByText('Account created successfully')).toBeTruthy()
    await screen.findByRole('heading', { name: 'Edit account' })
    const sid = /accounts\/([^/]+)\/edit$/.exec(address())?.[1]
    expect(await ask<Account>('north', 'GET', `/Accounts/${sid}`)).toMatchObject({
      name: 'Eastgate',
      sip_realm: 'eastgate.example.com',
      service_provider_sid: world().providers.north,
      registration_hook: null,
      queue_event_hook: { url: 'https://eastgate.example.com/queue', method: 'POST', username: null, password: null },
    })
  })
})

describe('editing an account', () => {
  it('saves the changed field and keeps the rest, including secrets', async () => {
    const hook = { url: 'https://acme.example.com/register', method: 'GET', username: 'acme', password: 's3cret' }
    await ask('admin', 'PUT', acme(), { registration_hook: hook, record_format: 'wav' })
    const before = await read()
    const { user } = await render(acmePage(), { as: 'north' })
    await user.type(await field('SIP realm'), '.uk')
    await user.click(await press('Save'))
    expect(await screen.findByText('Account updated successfully')).toBeTruthy()
    expect(await read()).toEqual({ ...before, sip_realm: 'acme.example.com.uk' })
  })

  it("offers only the account's own applications for SIP devices", async () => {
    const { user } = await render(acmePage(), { as: 'north' })
    for (const name of ['Application for calls from SIP devices', 'Application for SIPREC calls']) {
      await user.click(await screen.findByRole('combobox', { name }))
      const list = within(screen.getByRole('listbox', { name, hidden: true }))
      await user.click(await list.findByRole('option', { name: 'acme app', hidden: true }))
      expect(list.queryByRole('option', { name: 'bolt app', hidden: true })).toBeNull()
    }
    await user.click(await screen.findByRole('checkbox', { name: 'Enable debug log' }))
    await user.click(await press('Save'))
    expect(await screen.findByText('Account updated successfully')).toBeTruthy()
    expect(await read()).toMatchObject({
      device_calling_application_sid: world().acme.application,
      siprec_hook_sid: world().acme.application,
      enable_debug_log: 1,
    })
  })

  it('deletes the account from its form, and returns to the list', async () => {
    const { sid } = await add({ name: 'Fernhill' })
    const { user, address } = await render(`/internal/accounts/${sid}/edit`, { as: 'north' })
    await user.type(await field('Account name'), ' changed')
    await user.click(await press('Delete'))
    const dialog = await screen.findByRole('alertdialog')
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Deleted account Fernhill')).toBeTruthy()
    await waitFor(() => expect(address()).toBe('/internal/accounts'))
    expect(screen.queryByText('Something went wrong, please try again.')).toBeNull()
  })

  it("turns a provider's user away from an account of another provider", async () => {
    const { address } = await render(`/internal/accounts/${world().accounts.corp}/edit`, { as: 'north' })
    expect(await screen.findByText('You do not have access.')).toBeTruthy()
    await waitFor(() => expect(address()).toBe('/internal/accounts'))
  })
})

describe('the panels beside the account form', () => {
  it('generate a new webhook signing secret after confirmation', async () => {
    const { webhook_secret } = await read()
    const { user } = await render(acmePage(), { as: 'acme' })
    await user.type(await field('Account name'), ' typed')
    await user.click(await press('Generate a new secret'))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Webhook signing secret' }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect((await read()).webhook_secret).toBe(webhook_secret)
    await user.click(await press('Generate a new secret'))
    await user.click(await press('Generate'))
    expect(await screen.findByText('Webhook signing secret was successfully generated')).toBeTruthy()
    const after = (await read()).webhook_secret
    expect(after).not.toBe(webhook_secret)
    await user.click(await press('Show webhook signing secret'))
    expect(await screen.findByText(after)).toBeTruthy()
    // the unsaved text in the form is still there
    expect((await field('Account name')).getAttribute('value')).toMatch(/ typed$/)
  })

  it('show the end of the trial and the limits of the plan', async () => {
    await ask('admin', 'PUT', acme(), { trial_end_date: '2027-01-05T12:00:00Z' })
    await ask('admin', 'POST', `${acme()}/Limits`, { category: 'voice_call_session', quantity: 1200 })
    await ask('admin', 'POST', `${acme()}/Limits`, { category: 'device', quantity: 0 })
    await render(acmePage(), { as: 'acme' })
    const plan = within(await screen.findByRole('region', { name: 'Plan' }))
    for (const words of ['Trial', 'Jan 05, 2027', '1,200', 'Unlimited'])
      expect(await plan.findByText(words)).toBeTruthy()
    await ask('admin', 'PUT', acme(), { trial_end_date: null })
  })

  it('show that a trial has expired', async () => {
    const { sid } = await add({ name: 'Gorse', plan_type: 'free', is_active: 0 })
    await render(`/internal/accounts/${sid}/edit`, { as: 'north' })
    expect(await screen.findByText('Your free trial has expired. Please upgrade...')).toBeTruthy()
  })
})

describe('the limits of an account', () => {
  it('are saved with the account by an administrator, and must be whole numbers', async () => {
    const { user } = await render(acmePage(), { as: 'admin', features: { allLimits: true } })
    const calls = await field('Max calls')
    await user.clear(calls)
    await user.type(calls, '-1')
    await user.click(await press('Save'))
    expect(await screen.findByText('Max calls must be a whole number, 0 or more.')).toBeTruthy()
    await user.clear(calls)
    await user.type(calls, '25')
    await user.click(await press('Save'))
    expect(await screen.findByText('Account updated successfully')).toBeTruthy()
    expect(await ask('admin', 'GET', `${acme()}/Limits?category=voice_call_session`)).toMatchObject([{ quantity: 25 }])
  })

  it("are read-only for the account's own user", async () => {
    await render(acmePage(), { as: 'acme', features: { allLimits: false } })
    const calls = await field('Max calls')
    expect(calls.getAttribute('value')).toBe('25')
    expect(calls.hasAttribute('readonly')).toBe(true)
  })
})

describe("an account's own user", () => {
  it('changes the account, but not its SIP realm', async () => {
    const { user } = await render(acmePage(), { as: 'acme' })
    expect((await field('SIP realm')).hasAttribute('readonly')).toBe(true)
    await user.type(await field('Account name'), ' Ltd')
    await user.click(await press('Save'))
    expect(await screen.findByText('Account updated successfully')).toBeTruthy()
    expect((await read()).name).toBe('acme Ltd')
    await ask('admin', 'PUT', acme(), { name: 'acme' })
  })

  it('deletes the account only with the confirmation text, the right password and no dependents', async () => {
    const { user, address } = await render(`/internal/accounts/${world().accounts.bolt}/edit`, { as: 'bolt' })
    await user.click(await press('Delete'))
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

    await ask('admin', 'DELETE', `/PhoneNumbers/${world().bolt.phone_number}`)
    await ask('admin', 'DELETE', `/MicrosoftTeamsTenants/${world().bolt.ms_teams_tenant}`)
    await ask('admin', 'DELETE', `/Applications/${world().bolt.application}`)
    await ask('admin', 'DELETE', `/ApiKeys/${world().bolt.api_key}`)
    await user.click(await press('Delete'))
    const again = within(await screen.findByRole('dialog', { name: 'Delete account' }))
    await user.type(again.getByLabelText(/Delete message/), 'delete my account')
    await user.type(again.getByLabelText(/^Password/), 'wrong')
    await user.click(again.getByRole('button', { name: 'Delete' }))
    expect(await again.findByText('password is incorrect')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(again.getByLabelText(/^Password/)))
    await user.clear(again.getByLabelText(/^Password/))
    await user.type(again.getByLabelText(/^Password/), password)
    await user.click(again.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Deleted account bolt')).toBeTruthy()
    expect(await screen.findByText("You've successfully logged out.")).toBeTruthy()
    expect(address()).toBe('/')
  })
})

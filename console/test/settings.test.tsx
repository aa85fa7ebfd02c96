import { screen, waitFor, within } from '@testing-library/react'
import { messages as cacheMessages } from '@trunkline/contract/messages/tts-cache'
import type { ProviderLimit } from '@trunkline/contract/shapes/limit'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import type { SystemInformation } from '@trunkline/contract/shapes/system-information'
import { describe, expect, it } from 'vitest'
import { useBackend } from './render'

const { render, ask, backend, world } = useBackend()

const north = () => `/ServiceProviders/${world().providers.north}`
const provider = () => ask<ServiceProvider>('admin', 'GET', north())
const limits = () => ask<ProviderLimit[]>('admin', 'GET', `${north()}/Limits`)
const system = () => ask<SystemInformation>('admin', 'GET', '/SystemInformation')
const policy = () => ask<object>('admin', 'GET', '/PasswordSettings')
const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })
const press = (name: string | RegExp) => screen.findByRole('button', { name })
const save = async ({ user }: { user: { click: (element: Element) => Promise<void> } }) =>
  user.click(await press('Save'))
/** jsdom has no layout, so options of an open list count as hidden. */
const option = (name: string) => screen.findByRole('option', { name, hidden: true })
const asAdmin = (tab = '') => {
  localStorage.setItem('activeServiceProvider', world().providers.north)
  return render(`/internal/settings${tab}`, { as: 'admin' })
}

describe('the settings of a provider user', () => {
  it('are a plain form of the service provider', async () => {
    await render('/internal/settings', { as: 'north' })
    expect((await field('Service provider name')).value).toBe('Northwind')
    expect(screen.queryByRole('tablist')).toBeNull()
    expect(screen.queryByText('Delete')).toBeNull()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings')
  })

  it('save only the changed fields', async () => {
    const hook = { url: 'https://north.example.com/register', method: 'POST', username: 'n', password: 'p' }
    await ask('admin', 'PUT', north(), { registration_hook: hook, description: 'kept' })
    const screenOf = await render('/internal/settings', { as: 'north' })
    await screenOf.user.type(await field('MS Teams domain'), ' teams.north.example.com ')
    await screenOf.user.type(await field('Max calls'), '50')
    await save(screenOf)
    expect(await screen.findByText('Settings updated')).toBeTruthy()
    expect(await provider()).toMatchObject({
      name: 'Northwind',
      ms_teams_fqdn: 'teams.north.example.com',
      registration_hook: hook,
      description: 'kept',
    })
    expect(await limits()).toMatchObject([{ category: 'voice_call_session', quantity: 50 }])
    expect((await field('MS Teams domain')).value).toBe('teams.north.example.com')

    await screenOf.user.clear(await field('MS Teams domain'))
    await screenOf.user.clear(await field('Max calls'))
    await save(screenOf)
    await waitFor(async () => expect(await provider()).toMatchObject({ ms_teams_fqdn: null, registration_hook: hook }))
    await waitFor(async () => expect(await limits()).toEqual([]))
  })

  it("count and clear the TTS cache of the provider's accounts only", async () => {
    const { cache } = backend().services
    await cache.clear('')
    for (const account of ['acme', 'corp'] as const) await cache.set(`tts:${world().accounts[account]}:1`, 'x', 600)
    const { user } = await render('/internal/settings', { as: 'north' })
    expect(await screen.findByText('1 text is cached.')).toBeTruthy()
    await user.click(await press('Clear TTS cache'))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Clear TTS cache' }))
    expect(dialog.getByText(/this service provider's accounts/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Clear' }))
    expect(await screen.findByText(`The cache is empty. ${cacheMessages.noRedis}`)).toBeTruthy()
    expect(await cache.count('')).toBe(1)
  })

  it('accept 0 as unlimited, and refuse invalid quantities', async () => {
    const screenOf = await render('/internal/settings', { as: 'north' })
    const calls = await field('Max calls')
    expect(calls.placeholder).toBe('Enter quantity (0=unlimited)')
    for (const [typed, fault] of [
      ['-1', 'Max calls must be a whole number, 0 or more.'],
      ['1.5', 'Max calls must be a whole number, 0 or more.'],
      ['many', 'Max calls must be a whole number, 0 or more.'],
      ['2147483648', 'Max calls must be at most 2147483647.'],
    ] as const) {
      await screenOf.user.clear(calls)
      await screenOf.user.type(calls, typed)
      await save(screenOf)
      expect(await screen.findByText(fault)).toBeTruthy()
    }
    expect(await limits()).toEqual([])
    await screenOf.user.clear(calls)
    await screenOf.user.type(calls, '0')
    await save(screenOf)
    expect(await screen.findByText('Settings updated')).toBeTruthy()
    expect(await limits()).toMatchObject([{ quantity: 0 }])
    await ask('admin', 'DELETE', `${north()}/Limits`)
  })

  it('require a unique name', async () => {
    const screenOf = await render('/internal/settings', { as: 'north' })
    const name = await field('Service provider name')
    await screenOf.user.clear(name)
    await save(screenOf)
    expect(await screen.findByText('Service provider name is required.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(name))
    await screenOf.user.type(name, 'SOUTHGATE')
    await save(screenOf)
    expect(await screen.findByText('The name you have entered is already in use.')).toBeTruthy()
    expect((await provider()).name).toBe('Northwind')
  })

  it('update the frame at once', async () => {
    const screenOf = await render('/internal/settings', { as: 'north' })
    await screenOf.user.type(await field('Service provider name'), ' Two')
    await save(screenOf)
    expect(await screen.findByText('Northwind Two')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'MS Teams tenants' })).toBeNull()
    const domain = await field('MS Teams domain')
    await screenOf.user.type(domain, 'teams.example.com')
    await save(screenOf)
    expect(await screen.findByRole('link', { name: 'MS Teams tenants' })).toBeTruthy()
    await screenOf.user.clear(domain)
    await save(screenOf)
    await waitFor(() => expect(screen.queryByRole('link', { name: 'MS Teams tenants' })).toBeNull())
    await ask('admin', 'PUT', north(), { name: 'Northwind' })
  })

  it('create and delete API keys of the provider', async () => {
    const { user } = await render('/internal/settings', { as: 'north' })
    await within(await screen.findByRole('table', { name: 'API keys' })).findAllByRole('row')
    await user.click(await press('Create API key'))
    const question = within(await screen.findByRole('dialog', { name: 'Create API key' }))
    await user.click(question.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('API key created')).toBeTruthy()
    const dialog = within(await screen.findByRole('dialog', { name: 'New API key' }))
    const token = dialog.getByLabelText<HTMLInputElement>('API key').value
    const found = await backend()
      .database.db.selectFrom('api_keys')
      .selectAll()
      .where('token', '=', token)
      .executeTakeFirst()
    expect(found).toMatchObject({ service_provider_sid: world().providers.north, account_sid: null })
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    await user.click(await press(`Delete key ending in ${token.slice(-4)}`))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('API key deleted')).toBeTruthy()
  })

  it('have no limits with `allLimits`', async () => {
    await render('/internal/settings', { as: 'north', features: { allLimits: true } })
    await field('Service provider name')
    expect(screen.queryByText('Limits')).toBeNull()
  })

  it('are forbidden for an account user', async () => {
    const { address } = await render('/internal/settings', { as: 'acme' })
    expect(await screen.findByText('You do not have permissions to manage Settings')).toBeTruthy()
    await waitFor(() => expect(address()).toBe(`/internal/accounts/${world().accounts.acme}/edit`))
  })
})

describe('the settings of an administrator', () => {
  it('have two tabs that are kept in the URL', async () => {
    const { user, address } = await asAdmin()
    expect((await screen.findByRole('tab', { name: 'Admin' })).getAttribute('aria-selected')).toBe('true')
    await user.click(screen.getByRole('tab', { name: 'Service provider' }))
    await waitFor(() => expect(address()).toBe('/internal/settings?tab=provider'))
    expect((await field('Service provider name')).value).toBe('Northwind')
    await user.click(screen.getByRole('tab', { name: 'Admin' }))
    await waitFor(() => expect(address()).toBe('/internal/settings'))
  })

  it('save only the changed system information and password policy', async () => {
    const before = await provider()
    const screenOf = await asAdmin()
    await screenOf.user.type(await field('Domain name'), 'example.com')
    await screenOf.user.type(await field('SIP domain name'), 'sip.example.com')
    await screenOf.user.type(await field('Monitoring domain name'), 'graphs.example.com')
    await screenOf.user.type(await field('Private network CIDR'), '10.0.0.0/8, 192.168.1.1')
    await screenOf.user.click(await screen.findByRole('combobox', { name: 'Log level' }))
    await screenOf.user.click(await option('Debug'))
    await screenOf.user.click(await screen.findByRole('combobox', { name: 'Minimum length' }))
    expect(screen.queryByRole('option', { name: '7', hidden: true })).toBeNull()
    expect(screen.queryByRole('option', { name: '21', hidden: true })).toBeNull()
    await screenOf.user.click(await option('12'))
    await screenOf.user.click(screen.getByRole('checkbox', { name: 'Require a number' }))
    await save(screenOf)
    expect(await screen.findByText('Password settings successfully updated')).toBeTruthy()
    expect(await screen.findByText('Settings updated')).toBeTruthy()
    expect(await system()).toEqual({
      domain_name: 'example.com',
      sip_domain_name: 'sip.example.com',
      monitoring_domain_name: 'graphs.example.com',
      private_network_cidr: '10.0.0.0/8,192.168.1.1',
      log_level: 'debug',
    })
    expect(await policy()).toEqual({ min_password_length: 12, require_digit: 1, require_special_character: 0 })
    expect(await provider()).toEqual(before)
  })

  it('mark an invalid private network, even from the other tab', async () => {
    const screenOf = await asAdmin()
    const networks = await field('Private network CIDR')
    await screenOf.user.clear(networks)
    await screenOf.user.type(networks, '10.0.0.0/8,10.0.0.300')
    await screenOf.user.click(screen.getByRole('tab', { name: 'Service provider' }))
    await save(screenOf)
    expect(await screen.findByText('Invalid private network CIDR "10.0.0.300"')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(networks))
    expect(screen.getByRole('tab', { name: /Admin/ }).textContent).toContain('1')
    expect((await system()).private_network_cidr).not.toContain('300')
  })

  it('count the TTS cache, and clear it after confirmation', async () => {
    const { cache } = backend().services
    await cache.clear('')
    for (const key of ['tts:a:1', 'tts:b:1', 'other']) await cache.set(key, 'x', 600)
    const { user } = await asAdmin()
    expect(await screen.findByText('2 texts are cached.')).toBeTruthy()
    await user.click(await press('Clear TTS cache'))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Clear TTS cache' }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await cache.count('tts:')).toBe(2)
    await user.click(await press('Clear TTS cache'))
    await user.click(
      within(await screen.findByRole('alertdialog', { name: 'Clear TTS cache' })).getByRole('button', {
        name: 'Clear',
      }),
    )
    expect(await screen.findByText('Tts Cache successfully cleaned')).toBeTruthy()
    // the other tab shows it too
    expect(await screen.findAllByText(`The cache is empty. ${cacheMessages.noRedis}`)).not.toHaveLength(0)
    expect(await cache.count('')).toBe(1)
  })

  it('delete a service provider without dependents, and select the first by name', async () => {
    const { sid } = await ask<{ sid: string }>('admin', 'POST', '/ServiceProviders', { name: 'zephyr' })
    localStorage.setItem('activeServiceProvider', sid)
    const { user, address } = await render('/internal/settings?tab=provider', { as: 'admin' })
    await user.type(await field('Service provider name'), ' changed')
    await user.click(await press('Delete'))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete service provider' }))
    expect(dialog.getByText('zephyr')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Deleted service provider zephyr')).toBeTruthy()
    await waitFor(() => expect(address()).toBe('/internal/accounts'))
    expect(screen.queryByText('Leave without saving?')).toBeNull()
    const all = (await ask<ServiceProvider[]>('admin', 'GET', '/ServiceProviders')).map(({ name }) => name)
    expect(all).not.toContain('zephyr')
    expect(screen.getByRole('combobox', { name: 'Service provider' }).textContent).toContain(
      all.toSorted((one, other) => one.localeCompare(other))[0],
    )
  })

  it('do not delete a provider in use, and link to its dependents', async () => {
    const { user } = await asAdmin('?tab=provider')
    await user.click(await press('Delete'))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: "Northwind can't be deleted" }))
    const links = dialog.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).toContain(`/internal/accounts/${world().accounts.acme}/edit`)
    expect(links).toContain(`/internal/users/${world().users.north}/edit`)
  })

  it('open the leave guard before switching the provider with unsaved changes', async () => {
    const { user, address } = await asAdmin('?tab=provider')
    const name = await field('Service provider name')
    await user.type(name, ' typed')
    const switcher = screen.getByRole('combobox', { name: 'Service provider' })
    await user.click(switcher)
    await user.click(await option('Southgate'))
    await user.click(await press('Stay'))
    expect(switcher.textContent).toContain('Northwind')
    expect(name.value).toBe('Northwind typed')
    await user.click(switcher)
    await user.click(await option('Southgate'))
    await user.click(await press('Leave'))
    await waitFor(() => expect(address()).toBe('/internal/accounts'))
    expect(screen.getByRole('combobox', { name: 'Service provider' }).textContent).toContain('Southgate')
  })
})

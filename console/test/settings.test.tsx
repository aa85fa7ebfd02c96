import { screen, waitFor, within } from '@testing-library/react'
import { messages as cacheMessages } from '@trunkline/contract/messages/tts-cache'
import type { ProviderLimit } from '@trunkline/contract/shapes/limit'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import type { SystemInformation } from '@trunkline/contract/shapes/system-information'
import { describe, expect, it, vi } from 'vitest'
import { holdRequests } from './hold-requests'
import { useBackend } from './render'

const { render, requestAs, backend, testData } = useBackend()

const providerPath = () => `/ServiceProviders/${testData().providers.north}`
const readProvider = () => requestAs<ServiceProvider>('admin', 'GET', providerPath())
const readLimits = () => requestAs<ProviderLimit[]>('admin', 'GET', `${providerPath()}/Limits`)
const readSystemInformation = () => requestAs<SystemInformation>('admin', 'GET', '/SystemInformation')
const readPasswordPolicy = () => requestAs<object>('admin', 'GET', '/PasswordSettings')
const findField = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })
const findButton = (name: string | RegExp) => screen.findByRole('button', { name })
const clickSave = async ({ user }: { user: { click: (element: Element) => Promise<void> } }) =>
  user.click(await findButton('Save'))
/** jsdom has no layout, so options of an open list count as hidden. */
const findOption = (name: string) => screen.findByRole('option', { name, hidden: true })
const openAsAdmin = (tab = '') => {
  localStorage.setItem('activeServiceProvider', testData().providers.north)
  return render(`/internal/settings${tab}`, { as: 'admin' })
}

describe('the settings of a provider user', () => {
  it('are a plain form of the service provider', async () => {
    await render('/internal/settings', { as: 'north' })
    expect((await findField('Service provider name')).value).toBe('Northwind')
    expect(screen.queryByRole('tablist')).toBeNull()
    expect(screen.queryByText('Delete')).toBeNull()
    expect(screen.queryByText('Root domain')).toBeNull()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings')
  })

  it('contain the root domain in the hosted edition', async () => {
    const rendered = await render('/internal/settings', { as: 'north', features: { hosted: true } })
    await rendered.user.type(await findField('Root domain'), 'no domain')
    await clickSave(rendered)
    expect(await screen.findByText('Enter a domain name, such as sip.example.com.')).toBeTruthy()
    await rendered.user.clear(await findField('Root domain'))
    await rendered.user.type(await findField('Root domain'), ' sip.north.example.com ')
    await clickSave(rendered)
    expect(await screen.findByText('Settings updated')).toBeTruthy()
    expect(await readProvider()).toMatchObject({ root_domain: 'sip.north.example.com', ms_teams_fqdn: null })
  })

  it('save only the changed fields', async () => {
    const webhook = { url: 'https://north.example.com/register', method: 'POST', username: 'n', password: 'p' }
    await requestAs('admin', 'PUT', providerPath(), { registration_hook: webhook, description: 'kept' })
    const rendered = await render('/internal/settings', { as: 'north' })
    await rendered.user.type(await findField('MS Teams domain'), ' teams.north.example.com ')
    await rendered.user.type(await findField('Max calls'), '50')
    await clickSave(rendered)
    expect(await screen.findByText('Settings updated')).toBeTruthy()
    expect(await readProvider()).toMatchObject({
      name: 'Northwind',
      ms_teams_fqdn: 'teams.north.example.com',
      registration_hook: webhook,
      description: 'kept',
    })
    expect(await readLimits()).toMatchObject([{ category: 'voice_call_session', quantity: 50 }])
    expect((await findField('MS Teams domain')).value).toBe('teams.north.example.com')

    await rendered.user.clear(await findField('MS Teams domain'))
    await rendered.user.clear(await findField('Max calls'))
    await clickSave(rendered)
    await waitFor(async () =>
      expect(await readProvider()).toMatchObject({ ms_teams_fqdn: null, registration_hook: webhook }),
    )
    await waitFor(async () => expect(await readLimits()).toEqual([]))
  })

  it("count and clear the TTS cache of the provider's accounts only", async () => {
    const { cache } = backend().services
    await cache.clear('')
    for (const account of ['acme', 'corp'] as const) await cache.set(`tts:${testData().accounts[account]}:1`, 'x', 600)
    const { user } = await render('/internal/settings', { as: 'north' })
    expect(await screen.findByText('1 text is cached.')).toBeTruthy()
    await user.click(await findButton('Clear TTS cache'))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Clear TTS cache' }))
    expect(dialog.getByText(/this service provider's accounts/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Clear' }))
    expect(await screen.findByText(`The cache is empty. ${cacheMessages.noRedis}`)).toBeTruthy()
    expect(await cache.countKeys('')).toBe(1)
  })

  it('accept 0 as unlimited, and refuse invalid quantities', async () => {
    const rendered = await render('/internal/settings', { as: 'north' })
    const maxCalls = await findField('Max calls')
    expect(maxCalls.placeholder).toBe('Enter quantity (0=unlimited)')
    for (const [text, message] of [
      ['-1', 'Max calls must be a whole number, 0 or more.'],
      ['1.5', 'Max calls must be a whole number, 0 or more.'],
      ['many', 'Max calls must be a whole number, 0 or more.'],
      ['2147483648', 'Max calls must be at most 2147483647.'],
    ] as const) {
      await rendered.user.clear(maxCalls)
      await rendered.user.type(maxCalls, text)
      await clickSave(rendered)
      expect(await screen.findByText(message)).toBeTruthy()
    }
    expect(await readLimits()).toEqual([])
    await rendered.user.clear(maxCalls)
    await rendered.user.type(maxCalls, '0')
    await clickSave(rendered)
    expect(await screen.findByText('Settings updated')).toBeTruthy()
    expect(await readLimits()).toMatchObject([{ quantity: 0 }])
    await requestAs('admin', 'DELETE', `${providerPath()}/Limits`)
  })

  it('require a unique name', async () => {
    const rendered = await render('/internal/settings', { as: 'north' })
    const name = await findField('Service provider name')
    await rendered.user.clear(name)
    await clickSave(rendered)
    expect(await screen.findByText('Service provider name is required.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(name))
    await rendered.user.type(name, 'SOUTHGATE')
    await clickSave(rendered)
    expect(await screen.findByText('The name you have entered is already in use.')).toBeTruthy()
    expect((await readProvider()).name).toBe('Northwind')
  })

  it('update the frame at once', async () => {
    const rendered = await render('/internal/settings', { as: 'north' })
    await rendered.user.type(await findField('Service provider name'), ' Two')
    await clickSave(rendered)
    expect(await screen.findByText('Northwind Two')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'MS Teams tenants' })).toBeNull()
    const domainField = await findField('MS Teams domain')
    await rendered.user.type(domainField, 'teams.example.com')
    await clickSave(rendered)
    expect(await screen.findByRole('link', { name: 'MS Teams tenants' })).toBeTruthy()
    await rendered.user.clear(domainField)
    await clickSave(rendered)
    await waitFor(() => expect(screen.queryByRole('link', { name: 'MS Teams tenants' })).toBeNull())
    await requestAs('admin', 'PUT', providerPath(), { name: 'Northwind' })
  })

  it('create and delete API keys of the provider', async () => {
    const { user } = await render('/internal/settings', { as: 'north' })
    await within(await screen.findByRole('table', { name: 'API keys' })).findAllByRole('row')
    await user.click(await findButton('Create API key'))
    const createDialog = within(await screen.findByRole('dialog', { name: 'Create API key' }))
    await user.click(createDialog.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('API key created')).toBeTruthy()
    const dialog = within(await screen.findByRole('dialog', { name: 'New API key' }))
    const token = dialog.getByLabelText<HTMLInputElement>('API key').value
    const storedKey = await backend()
      .database.db.selectFrom('api_keys')
      .selectAll()
      .where('token', '=', token)
      .executeTakeFirst()
    expect(storedKey).toMatchObject({ service_provider_sid: testData().providers.north, account_sid: null })
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    await user.click(await findButton(`Delete key ending in ${token.slice(-4)}`))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('API key deleted')).toBeTruthy()
  })

  it('have no limits with `allLimits`', async () => {
    await render('/internal/settings', { as: 'north', features: { allLimits: true } })
    await findField('Service provider name')
    expect(screen.queryByText('Limits')).toBeNull()
  })

  it('are forbidden for an account user', async () => {
    const { currentPath } = await render('/internal/settings', { as: 'acme' })
    expect(await screen.findByText('You do not have permissions to manage Settings')).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe(`/internal/accounts/${testData().accounts.acme}/edit`))
  })
})

describe('the settings of an administrator', () => {
  it('have two tabs that are kept in the URL', async () => {
    const { user, currentPath } = await openAsAdmin()
    expect((await screen.findByRole('tab', { name: 'Admin' })).getAttribute('aria-selected')).toBe('true')
    await user.click(screen.getByRole('tab', { name: 'Service provider' }))
    await waitFor(() => expect(currentPath()).toBe('/internal/settings?tab=provider'))
    expect((await findField('Service provider name')).value).toBe('Northwind')
    await user.click(screen.getByRole('tab', { name: 'Admin' }))
    await waitFor(() => expect(currentPath()).toBe('/internal/settings'))
  })

  it('save only the changed system information and password policy', async () => {
    const providerBefore = await readProvider()
    const rendered = await openAsAdmin()
    await rendered.user.type(await findField('Domain name'), 'example.com')
    await rendered.user.type(await findField('SIP domain name'), 'sip.example.com')
    await rendered.user.type(await findField('Monitoring domain name'), 'graphs.example.com')
    await rendered.user.type(await findField('Private network CIDR'), '10.0.0.0/8, 192.168.1.1')
    await rendered.user.click(await screen.findByRole('combobox', { name: 'Log level' }))
    await rendered.user.click(await findOption('Debug'))
    await rendered.user.click(await screen.findByRole('combobox', { name: 'Minimum length' }))
    expect(screen.queryByRole('option', { name: '7', hidden: true })).toBeNull()
    expect(screen.queryByRole('option', { name: '21', hidden: true })).toBeNull()
    await rendered.user.click(await findOption('12'))
    await rendered.user.click(screen.getByRole('checkbox', { name: 'Require a number' }))
    await clickSave(rendered)
    expect(await screen.findByText('Password settings successfully updated')).toBeTruthy()
    expect(await screen.findByText('Settings updated')).toBeTruthy()
    expect(await readSystemInformation()).toEqual({
      domain_name: 'example.com',
      sip_domain_name: 'sip.example.com',
      monitoring_domain_name: 'graphs.example.com',
      private_network_cidr: '10.0.0.0/8,192.168.1.1',
      log_level: 'debug',
    })
    expect(await readPasswordPolicy()).toEqual({
      min_password_length: 12,
      require_digit: 1,
      require_special_character: 0,
    })
    expect(await readProvider()).toEqual(providerBefore)
  })

  it('mark an invalid private network, even from the other tab', async () => {
    const rendered = await openAsAdmin()
    const cidrField = await findField('Private network CIDR')
    await rendered.user.clear(cidrField)
    await rendered.user.type(cidrField, '10.0.0.0/8,10.0.0.300')
    await rendered.user.click(screen.getByRole('tab', { name: 'Service provider' }))
    await clickSave(rendered)
    expect(await screen.findByText('"10.0.0.300" is not an IPv4 address or a network such as 10.0.0.0/8.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(cidrField))
    expect(screen.getByRole('tab', { name: /Admin/ }).textContent).toContain('1')
    expect((await readSystemInformation()).private_network_cidr).not.toContain('300')
  })

  it('count the TTS cache, and clear it after confirmation', async () => {
    const { cache } = backend().services
    await cache.clear('')
    for (const key of [`tts:${testData().accounts.acme}:1`, 'tts:b:1', 'other']) await cache.set(key, 'x', 600)
    const { user } = await openAsAdmin()
    expect(await screen.findByText('2 texts are cached.')).toBeTruthy()
    // the other tab counts those of the provider
    expect(await screen.findByText('1 text is cached.')).toBeTruthy()
    await user.click(await findButton('Clear TTS cache'))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Clear TTS cache' }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await cache.countKeys('tts:')).toBe(2)
    await user.click(await findButton('Clear TTS cache'))
    await user.click(
      within(await screen.findByRole('alertdialog', { name: 'Clear TTS cache' })).getByRole('button', {
        name: 'Clear',
      }),
    )
    expect(await screen.findByText('Tts Cache successfully cleaned')).toBeTruthy()
    const emptyMessage = `The cache is empty. ${cacheMessages.noRedis}`
    await waitFor(() => expect(screen.getAllByText(emptyMessage)).toHaveLength(2))
    expect(await cache.countKeys('')).toBe(1)
  })

  it('delete a service provider without dependents, and select the first by name', async () => {
    const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/ServiceProviders', { name: 'zephyr' })
    localStorage.setItem('activeServiceProvider', sid)
    const { user, currentPath } = await render('/internal/settings?tab=provider', { as: 'admin' })
    await user.type(await findField('Service provider name'), ' changed')
    await user.click(await findButton('Delete'))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete service provider' }))
    expect(dialog.getByText('zephyr')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Deleted service provider zephyr')).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
    expect(screen.queryByText('Leave without saving?')).toBeNull()
    const providerNames = (await requestAs<ServiceProvider[]>('admin', 'GET', '/ServiceProviders')).map(
      ({ name }) => name,
    )
    expect(providerNames).not.toContain('zephyr')
    expect(screen.getByRole('combobox', { name: 'Service provider' }).textContent).toContain(
      providerNames.toSorted((first, second) => first.localeCompare(second))[0],
    )
  })

  it('name the provider in the dialog as it was renamed meanwhile', async () => {
    const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/ServiceProviders', { name: 'zephyr' })
    localStorage.setItem('activeServiceProvider', sid)
    const rendered = await render('/internal/settings?tab=provider', { as: 'admin' })
    await rendered.user.type(await findField('Service provider name'), ' two')
    const release = holdRequests('GET', '/ServiceProviders')
    await clickSave(rendered)
    await screen.findByText('Settings updated')
    await rendered.user.click(await findButton('Delete'))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete service provider' }))
    expect(dialog.getByText('zephyr')).toBeTruthy()
    release()
    expect(await dialog.findByText('zephyr two')).toBeTruthy()
    vi.restoreAllMocks()
    await requestAs('admin', 'DELETE', `/ServiceProviders/${sid}`)
  })

  it('do not delete a provider in use, and link to its dependents', async () => {
    const { user } = await openAsAdmin('?tab=provider')
    await user.click(await findButton('Delete'))
    // without a press on Delete: the dependents are loaded while the question is shown
    const dialog = within(await screen.findByRole('alertdialog', { name: "Northwind can't be deleted" }))
    const links = dialog.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).toContain(`/internal/accounts/${testData().accounts.acme}`)
    expect(links).toContain(`/internal/users/${testData().users.north}`)
  })

  it('open the leave guard before switching the provider with unsaved changes', async () => {
    const { user, currentPath } = await openAsAdmin('?tab=provider')
    const name = await findField('Service provider name')
    await user.type(name, ' typed')
    const providerSelect = screen.getByRole('combobox', { name: 'Service provider' })
    await user.click(providerSelect)
    await user.click(await findOption('Southgate'))
    await user.click(await findButton('Stay'))
    expect(providerSelect.textContent).toContain('Northwind')
    expect(name.value).toBe('Northwind typed')
    await user.click(providerSelect)
    await user.click(await findOption('Southgate'))
    await user.click(await findButton('Leave'))
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
    expect(screen.getByRole('combobox', { name: 'Service provider' }).textContent).toContain('Southgate')
  })
})

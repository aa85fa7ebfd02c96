import { firstProvider } from './support/api'
import { addPerson, enter, signIn } from './support/people'
import { startPlainApi, type PlainApi } from './support/plain-api'
import { choose, heading, said, save } from './support/screen'
import { startServer, type TestServer } from './support/server'
import { expect, test } from './support/test'

test.use({ world: 'settings' })

test.describe("an administrator's settings", () => {
  test('are two tabs that are at home in the address and work with the keys', async ({ page, platform, admin }) => {
    await enter(page, platform, admin, '/internal/settings')
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    await expect(tab('Admin')).toHaveAttribute('aria-selected', 'true')
    await tab('Admin').focus()
    await page.keyboard.press('ArrowRight')
    await expect(tab('Service provider')).toBeFocused()
    await expect(page).toHaveURL(/\?tab=provider$/)
    await page.reload()
    await expect(tab('Service provider')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByLabel('Service provider name')).toHaveValue('default service provider')
    await expect(page.getByLabel('Domain name', { exact: true })).toBeHidden()
    await tab('Admin').click()
    await expect(page).toHaveURL(/\/internal\/settings$/)
  })

  test('keep what is known of the platform, and say which network is none', async ({ page, platform, api, admin }) => {
    await enter(page, platform, admin, '/internal/settings')
    await page.getByLabel('Domain name', { exact: true }).fill('example.com')
    const networks = page.getByLabel('Private network CIDR')
    await networks.fill('10.0.0.0/8,10.1.1.1/40')
    await page.getByRole('tab', { name: 'Service provider' }).click()
    await save(page)
    await expect(networks).toBeFocused()
    await expect(networks).toHaveAccessibleDescription(/Invalid private network CIDR "10\.1\.1\.1\/40"/)
    await networks.fill('10.0.0.0/8, 10.1.1.1')
    await choose(page, 'Log level', 'Debug')
    await save(page)
    await said(page, 'Settings updated')
    expect(await api.get('/SystemInformation')).toMatchObject({
      domain_name: 'example.com',
      private_network_cidr: '10.0.0.0/8,10.1.1.1',
      log_level: 'debug',
    })
    await page.reload()
    await expect(networks).toHaveValue('10.0.0.0/8,10.1.1.1')
  })

  test('make a password policy that holds at once, for everybody', async ({ page, platform, admin, browser }) => {
    const fresh = await addPerson(platform, 'fresh', { mustChange: true })
    await enter(page, platform, admin, '/internal/settings')
    await choose(page, 'Minimum length', '14')
    await page.getByRole('checkbox', { name: 'Require a special character' }).check()
    await save(page)
    await said(page, 'Password settings successfully updated')

    const other = await (await browser.newContext({ baseURL: platform.url })).newPage()
    await other.goto('/')
    await signIn(other, fresh.name, fresh.password)
    await expect(heading(other, 'Create password')).toBeVisible()
    await expect(other.getByText('Be at least 14 characters long')).toBeVisible()
    await expect(other.getByText('Contain at least one special character')).toBeVisible()
    await expect(other.getByText('Contain at least one number')).toHaveCount(0)
    await other.context().close()
  })

  test('offer to delete a service provider only while there is another, and go on with the first', async ({
    page,
    platform,
    api,
    admin,
  }) => {
    await enter(page, platform, admin, '/internal/settings?tab=provider')
    await expect(page.getByLabel('Service provider name')).toHaveValue('default service provider')
    await expect(page.getByRole('button', { name: 'Delete', exact: true })).toHaveCount(0)

    const first = await firstProvider(api)
    const doomed = await api.add('/ServiceProviders', { name: 'Quartz' })
    const account = await api.add('/Accounts', { name: 'Quartz account', service_provider_sid: doomed })
    await page.evaluate((sid) => localStorage.setItem('activeServiceProvider', sid), doomed)
    await page.reload()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete service provider' })
    await expect(question).toContainText('Quartz')
    await question.getByRole('button', { name: 'Delete' }).click()
    const refusal = page.getByRole('alertdialog', { name: "Quartz can't be deleted" })
    await expect(refusal.getByRole('link', { name: 'Quartz account' })).toHaveAttribute('href', new RegExp(account))
    await refusal.getByRole('button', { name: 'Close' }).last().click()

    await api.remove(`/Accounts/${account}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await said(page, 'Deleted service provider Quartz')
    await expect(page.getByRole('combobox', { name: 'Service provider' })).toContainText('default service provider')
    expect(await page.evaluate(() => localStorage.getItem('activeServiceProvider'))).toBe(first)
  })
})

test("a provider's user sets a limit, a domain and a key", async ({ page, platform, api }) => {
  const service_provider_sid = await firstProvider(api)
  const person = await addPerson(platform, 'north-user', { service_provider_sid })
  await enter(page, platform, person, '/internal/accounts')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(heading(page, 'Settings')).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  const limits = () => api.get<object[]>(`/ServiceProviders/${service_provider_sid}/Limits`)
  await page.getByLabel('Max calls').fill('25')
  await save(page)
  await said(page, 'Settings updated')
  expect(await limits()).toMatchObject([{ category: 'voice_call_session', quantity: 25 }])
  await page.getByLabel('Max calls').fill('')
  await save(page)
  await expect.poll(limits).toEqual([])

  await page.getByRole('button', { name: 'Create API key' }).click()
  await said(page, 'API key created')
  await page.getByRole('dialog', { name: 'New API key' }).getByRole('button', { name: 'Done' }).click()
  await page
    .getByRole('button', { name: /^Delete key ending in/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await said(page, 'API key deleted')
})

test('an account has no settings', async ({ page, platform, api }) => {
  const account_sid = await api.add('/Accounts', {
    name: 'Without settings',
    service_provider_sid: await firstProvider(api),
  })
  const service_provider_sid = await firstProvider(api)
  const person = await addPerson(platform, 'account-user', { service_provider_sid, account_sid })
  await enter(page, platform, person, '/internal/settings')
  await said(page, 'You do not have permissions to manage Settings')
  await expect(page).toHaveURL(new RegExp(`/internal/accounts/${account_sid}/edit`))
  await expect(page.getByRole('link', { name: 'Settings', exact: true })).toHaveCount(0)
})

test.describe('in front of a server of version 1', () => {
  let plain: PlainApi
  let front: TestServer
  test.beforeAll(async ({ platform }) => {
    plain = await startPlainApi(platform)
    front = await startServer({ API_BASE_URL: plain.url })
  })
  test.afterAll(async () => {
    await front?.dispose()
    await plain?.close()
  })

  test('settings are read and saved, the hook of the provider is not lost', async ({ page, api, admin }) => {
    const registration_hook = {
      url: 'https://hooks.example.com/register',
      method: 'POST',
      username: null,
      password: null,
    }
    const sid = await api.add('/ServiceProviders', { name: 'Aardvark', registration_hook })
    await page.goto(front.url)
    await signIn(page, admin.name, admin.password)
    await expect(heading(page, 'Accounts')).toBeVisible()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByLabel('Domain name', { exact: true }).fill('plain.example.com')
    await page.getByRole('tab', { name: 'Service provider' }).click()
    await page.getByLabel('MS Teams domain').fill('teams.example.com')
    await page.getByLabel('Max calls').fill('7')
    await save(page)
    await said(page, 'Settings updated')
    await expect(page.getByRole('link', { name: 'MS Teams Tenants', exact: true })).toBeVisible()
    const put = plain.asked.filter(({ method }) => method === 'PUT')
    expect(put.map(({ path }) => path)).toEqual([`/ServiceProviders/${sid}`])
    expect(await api.get(`/ServiceProviders/${sid}`)).toMatchObject({
      ms_teams_fqdn: 'teams.example.com',
      registration_hook,
    })
    expect(await api.get(`/ServiceProviders/${sid}/Limits`)).toMatchObject([{ quantity: 7 }])
    expect(await api.get('/SystemInformation')).toMatchObject({ domain_name: 'plain.example.com' })

    // such a server refuses without saying because of what
    const account = await api.add('/Accounts', { name: 'In the way', service_provider_sid: sid })
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    const refusal = page.getByRole('alertdialog', { name: "Aardvark can't be deleted" })
    await expect(refusal.getByRole('link', { name: 'In the way' })).toBeVisible()
    await api.remove(`/Accounts/${account}`)
    await api.remove(`/ServiceProviders/${sid}`)
  })
})

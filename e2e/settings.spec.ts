import { addUser, openAs, signIn } from '../scripts/launch/users'
import { startV1Api, type V1Api } from './support/v1-api-double'
import { selectOption, heading, expectToast, clickSave } from './support/screen'
import { startServer, type TestServer } from '../scripts/launch/server'
import { expect, test } from './support/test'

test.use({ serverName: 'settings' })

test.describe("an administrator's settings", () => {
  test('define a password policy that applies immediately to all users', async ({ page, server, admin, browser }) => {
    const newUser = await addUser(server, 'fresh', { mustChangePassword: true })
    await openAs(page, server, admin, '/internal/settings')
    await selectOption(page, 'Minimum length', '14')
    await page.getByRole('checkbox', { name: 'Require a special character' }).check()
    await clickSave(page)
    await expectToast(page, 'Password settings successfully updated')

    const newUserPage = await (await browser.newContext({ baseURL: server.url })).newPage()
    await newUserPage.goto('/')
    await signIn(newUserPage, newUser.name, newUser.password)
    await expect(heading(newUserPage, 'Create password')).toBeVisible()
    await expect(newUserPage.getByText('Be at least 14 characters long')).toBeVisible()
    await expect(newUserPage.getByText('Contain at least one special character')).toBeVisible()
    await expect(newUserPage.getByText('Contain at least one number')).toHaveCount(0)
    await newUserPage.context().close()
  })
})

test.describe('in front of a v1 server', () => {
  let v1Api: V1Api
  let consoleServer: TestServer
  test.beforeAll(async ({ server }) => {
    v1Api = await startV1Api(server)
    consoleServer = await startServer({ API_BASE_URL: v1Api.url })
  })
  test.afterAll(async () => {
    await consoleServer?.dispose()
    await v1Api?.close()
  })

  test("settings can be changed without losing the provider's webhook", async ({ page, api, admin }) => {
    const registration_hook = {
      url: 'https://hooks.example.com/register',
      method: 'POST',
      username: null,
      password: null,
    }
    const sid = await api.add('/ServiceProviders', { name: 'Aardvark', registration_hook })
    await page.goto(consoleServer.url)
    await signIn(page, admin.name, admin.password)
    await expect(heading(page, 'Accounts')).toBeVisible()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByLabel('Domain name', { exact: true }).fill('plain.example.com')
    await page.getByRole('tab', { name: 'Service provider' }).click()
    await page.getByLabel('MS Teams domain').fill('teams.example.com')
    await page.getByLabel('Max calls').fill('7')
    await clickSave(page)
    await expectToast(page, 'Settings updated')
    await expect(page.getByRole('link', { name: 'MS Teams tenants', exact: true })).toBeVisible()
    const putRequests = v1Api.requests.filter(({ method }) => method === 'PUT')
    expect(putRequests.map(({ path }) => path)).toEqual([`/ServiceProviders/${sid}`])
    expect(await api.get(`/ServiceProviders/${sid}`)).toMatchObject({
      ms_teams_fqdn: 'teams.example.com',
      registration_hook,
    })
    expect(await api.get(`/ServiceProviders/${sid}/Limits`)).toMatchObject([{ quantity: 7 }])
    expect(await api.get('/SystemInformation')).toMatchObject({ domain_name: 'plain.example.com' })

    // A v1 server refuses the deletion without listing the dependents.
    const accountSid = await api.add('/Accounts', { name: 'In the way', service_provider_sid: sid })
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    const refusal = page.getByRole('alertdialog', { name: "Aardvark can't be deleted" })
    await expect(refusal.getByRole('link', { name: 'In the way' })).toBeVisible()
    await api.remove(`/Accounts/${accountSid}`)
    await api.remove(`/ServiceProviders/${sid}`)
  })
})

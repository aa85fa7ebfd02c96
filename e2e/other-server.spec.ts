import type { Page } from '@playwright/test'
import { createApiClient, type ApiClient } from '../scripts/launch/api'
import { addUser, signIn, type TestUser } from '../scripts/launch/users'
import { startV1Api, type V1Api } from './support/v1-api-double'
import { selectOption, heading, expectToast, clickSave } from './support/screen'
import { startServer, type TestServer } from '../scripts/launch/server'
import { expect, test } from './support/test'

/** The console in front of a v1 server. */

let platform: TestServer
let v1Api: V1Api
let front: TestServer
let api: ApiClient
let admin: TestUser
let provider: string
const accounts: string[] = []
const three = (at: number) => String(at).padStart(3, '0')

const addRecords = async () => {
  // The first provider by name, so that the console starts with it.
  provider = await api.add('/ServiceProviders', { name: 'Aa first provider' })
  const hook = { url: 'https://apps.example.com/call' }
  const hooks = { call_hook: hook, call_status_hook: hook }
  for (let at = 1; at <= 30; at += 1)
    accounts.push(
      await api.add('/Accounts', {
        name: `Account ${three(at)}`,
        service_provider_sid: provider,
        sip_realm: `a${three(100 - at)}.example.com`,
      }),
    )
  const applications: string[] = []
  for (let at = 1; at <= 30; at += 1)
    applications.push(
      await api.add('/Applications', { name: `App ${three(at)}`, account_sid: accounts[at % 3], ...hooks }),
    )
  const voip_carrier_sid = await api.add('/VoipCarriers', { name: 'Shared trunk', service_provider_sid: provider })
  await api.add('/SipGateways', { voip_carrier_sid, ipv4: '192.0.2.1', inbound: 1, outbound: 1 })
  await api.add('/SipGateways', { voip_carrier_sid, ipv4: '192.0.2.2', inbound: 1, outbound: 0 })
  const own = { name: 'Own trunk', service_provider_sid: provider, account_sid: accounts[0] }
  const ownCarrier = await api.add('/VoipCarriers', own)
  await api.add('/SipGateways', { voip_carrier_sid: ownCarrier, ipv4: '192.0.2.3', inbound: 0, outbound: 1 })
  for (let at = 1; at <= 30; at += 1)
    await api.add('/PhoneNumbers', {
      number: `1212555${1000 + at}`,
      voip_carrier_sid,
      account_sid: accounts[0],
      application_sid: at === 1 ? applications[2] : null,
    })

  // Records of another provider, which must never appear.
  const other = await api.add('/ServiceProviders', { name: 'Zz other provider' })
  const foreignAccount = await api.add('/Accounts', { name: 'Stranger account', service_provider_sid: other })
  await api.add('/Applications', { name: 'Stranger app', account_sid: foreignAccount, ...hooks })
  await api.add('/VoipCarriers', { name: 'Stranger trunk', service_provider_sid: other })
  await api.add('/PhoneNumbers', { number: '13125559999', account_sid: foreignAccount })
}

test.beforeAll(async () => {
  test.setTimeout(180_000)
  platform = await startServer()
  api = createApiClient(platform.url, platform.apiKey)
  v1Api = await startV1Api(platform)
  front = await startServer({ API_BASE_URL: v1Api.url })
  admin = await addUser(platform, 'ada-elsewhere')
  await addRecords()
})
test.afterAll(async () => {
  await front?.dispose()
  await v1Api?.close()
  await platform?.dispose()
})

const goTo = async (page: Page, entry: string, title = entry) => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry, exact: true }).click()
  await expect(heading(page, title)).toBeVisible()
}

const firstName = async (page: Page) => (await page.getByRole('table').getByRole('link').first().textContent()) ?? ''
const expectTotal = (page: Page, count: number) => expect(page.getByText(`Total: ${count} records`)).toBeVisible()
const expectNoForeignRecords = (page: Page) => expect(page.getByText(/stranger|default account/i)).toHaveCount(0)

test.beforeEach(async ({ page }) => {
  v1Api.requests.length = 0
  await page.goto(front.url)
  await signIn(page, admin.name, admin.password)
  await expect(heading(page, 'Accounts')).toHaveText('Accounts 30')
})

test('the console starts without errors in the browser', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
  })
  await page.reload()
  await expect(heading(page, 'Accounts')).toHaveText('Accounts 30')
  await goTo(page, 'Applications')
  await expectTotal(page, 30)
  expect(errors).toEqual([])
  expect(v1Api.requests.map(({ path }) => path)).not.toContain('/Abilities')
})

test('the console filters, sorts and pages accounts, because the server cannot', async ({ page }) => {
  await expect.poll(() => firstName(page)).toBe('Account 001')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.poll(() => firstName(page)).toBe('Account 026')
  await page.getByRole('button', { name: 'SIP realm' }).click()
  await expect.poll(() => firstName(page)).toBe('Account 030')
  await page.getByRole('searchbox', { name: 'Filter accounts' }).fill('account 02')
  await expectTotal(page, 10)
  await expectNoForeignRecords(page)
  const lists = v1Api.requests.filter(({ path }) => path.endsWith('/Accounts'))
  expect(lists.length, 'requests the complete list at most twice, not for each letter').toBeLessThanOrEqual(2)
})

test("the list shows the current provider's applications", async ({ page }) => {
  await goTo(page, 'Applications')
  await expectTotal(page, 30)
  await expect(
    page
      .getByRole('table')
      .getByRole('link', { name: /^Account 00/ })
      .first(),
  ).toBeVisible()
  await expectNoForeignRecords(page)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('row')).toHaveCount(6)
  await page.getByRole('searchbox', { name: 'Filter applications' }).fill('stranger')
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Filter applications' }).fill('app 01')
  await expectTotal(page, 10)
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await selectOption(page, 'Account', 'Account 001')
  await expectTotal(page, 10)
})

test('a carrier is listed, added and changed with its gateways', async ({ page }) => {
  await goTo(page, 'Carriers')
  await expectTotal(page, 2)
  const shared = page.getByRole('row', { name: /Shared trunk/ })
  await expect(shared).toContainText('2 inbound')
  await expect(shared).toContainText('1 outbound')
  await expect(shared).toContainText('All accounts')
  await expect(page.getByRole('row', { name: /Own trunk/ })).toContainText('Account 001')
  await expectNoForeignRecords(page)

  await page.getByRole('link', { name: 'Add carrier' }).click()
  await page.getByLabel('Carrier name').fill('New trunk')
  const gateway = (at: number) => page.getByRole('group', { name: `SIP gateway ${at}`, exact: true })
  const add = page.getByRole('button', { name: 'Add SIP gateway' })
  if ((await gateway(1).count()) === 0) await add.click()
  await gateway(1).getByLabel('Address').fill('192.0.2.77')
  await add.click()
  await gateway(2).getByLabel('Address').fill('sip.new.example.com')
  await gateway(2).getByLabel('Inbound').uncheck()
  await gateway(2).getByLabel('Outbound').check()
  await selectOption(page, 'Used by', 'Account 002')
  await page.getByRole('combobox', { name: 'Default application' }).click()
  await expect(page.getByRole('option', { name: 'App 001' })).toBeVisible()
  await expectNoForeignRecords(page)
  await page.getByRole('option', { name: 'App 001' }).click()
  await clickSave(page)
  await expectToast(page, 'Carrier created successfully')

  await page
    .getByRole('row', { name: /New trunk/ })
    .getByRole('link', { name: 'New trunk', exact: true })
    .click()
  // The server returns gateways in any order.
  await expect(gateway(2)).toBeVisible()
  const addresses = await Promise.all([1, 2].map((at) => gateway(at).getByLabel('Address').inputValue()))
  expect(addresses.toSorted()).toEqual(['192.0.2.77', 'sip.new.example.com'])
  await page.getByRole('button', { name: 'Delete SIP gateway 1' }).click()
  await page.getByLabel('Tech prefix').fill('7715')
  await clickSave(page)
  await expectToast(page, 'Carrier updated successfully')
  await page.reload()
  await expect(page.getByLabel('Tech prefix')).toHaveValue('7715')
  await expect(page.getByRole('group', { name: /^SIP gateway \d+$/ })).toHaveCount(1)
})

test('the server pages numbers; the console adds names and assigns applications one by one', async ({ page }) => {
  await goTo(page, 'Phone numbers')
  await expectTotal(page, 30)
  const first = page.getByRole('row', { name: /555-1001/ })
  await expect(first).toContainText('Account 001')
  await expect(first).toContainText('App 003')
  await expect(first).toContainText('Shared trunk')
  await expectNoForeignRecords(page)
  // The server cannot sort, so the headers have no sort buttons.
  await expect(page.getByRole('columnheader', { name: 'Number' }).getByRole('button')).toHaveCount(0)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByRole('row')).toHaveCount(6)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(page.getByText('5 selected')).toBeVisible()
  await page.getByRole('combobox', { name: 'Application' }).click()
  await expectNoForeignRecords(page)
  await page.getByRole('option', { name: 'App 003', exact: true }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expectToast(page, 'Number routing updated successfully')
  await expect(page.getByRole('row').filter({ hasText: 'App 003' })).toHaveCount(5)
  const changes = v1Api.requests.filter(({ method }) => method === 'PUT')
  expect(changes.map(({ path }) => path.split('/').length)).toEqual([3, 3, 3, 3, 3])
})

test('an account and an application can be added, changed and deleted', async ({ page }) => {
  await page.getByRole('link', { name: 'Add account' }).click()
  await page.getByLabel('Account name').fill('Account 001')
  await clickSave(page)
  await expect(page.getByLabel('Account name')).toHaveAccessibleDescription(
    /The name you have entered is already in use on another one of your accounts\./,
  )
  await page.getByLabel('Account name').fill('Brand new')
  await clickSave(page)
  await expectToast(page, 'Account created successfully')
  await expect(heading(page, 'Edit account')).toBeVisible()
  await page.getByLabel('SIP realm').fill('brand.example.com')
  await clickSave(page)
  await expectToast(page, 'Account updated successfully')

  await goTo(page, 'Applications')
  await page.getByRole('link', { name: 'Add application' }).click()
  await page.getByLabel('Application name').fill('Brand new app')
  await selectOption(page, 'Account', 'Brand new')
  await page.getByRole('textbox', { name: 'Calling webhook' }).fill('https://new.example.com/call')
  await page.getByRole('textbox', { name: 'Call status webhook' }).fill('https://new.example.com/status')
  await clickSave(page)
  await expectToast(page, 'Application created successfully')
  await expectTotal(page, 31)
  await page.getByRole('searchbox', { name: 'Filter applications' }).fill('brand')
  await page.getByRole('button', { name: 'Delete Brand new app' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Deleted application Brand new app')

  await goTo(page, 'Accounts')
  await page.getByRole('searchbox', { name: 'Filter accounts' }).fill('brand')
  await page.getByRole('button', { name: 'Delete Brand new' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Deleted account Brand new')
})

test('the console refuses to delete records in use and lists their dependents', async ({ page }) => {
  await page.getByRole('button', { name: 'Delete Account 001' }).click()
  const refusal = page.getByRole('alertdialog', { name: "Account 001 can't be deleted" })
  await expect(refusal.getByRole('link', { name: /^App \d+$/ }).first()).toBeVisible()
  await expect(refusal.getByText('Phone numbers')).toBeVisible()
  // only the dialog scrolls: a list that scrolled by itself would cut its last line
  const uses = refusal.getByRole('list').first()
  expect(await uses.evaluate((list) => list.scrollHeight - list.clientHeight)).toBe(0)
  await expect(refusal.getByText(/stranger/i)).toHaveCount(0)
  // The console must not send the request, because a v1 server would delete all dependents.
  expect(v1Api.requests.filter(({ method }) => method === 'DELETE')).toEqual([])
  await page.keyboard.press('Escape')

  await goTo(page, 'Applications')
  await page.getByRole('button', { name: 'Delete App 003' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const app = page.getByRole('alertdialog', { name: "App 003 can't be deleted" })
  await expect(app.getByRole('link', { name: /1001/ })).toBeVisible()
  await page.keyboard.press('Escape')

  await goTo(page, 'Carriers')
  await page.getByRole('button', { name: 'Delete Shared trunk' }).click()
  const carrier = page.getByRole('alertdialog', { name: "Shared trunk can't be deleted" })
  // The server returns numbers in any order; the dialog sorts them.
  await expect(carrier.getByRole('link').first()).toHaveText('(212) 555-1001')
})

test('the palette does not find records of another provider', async ({ page }) => {
  const box = page.getByRole('combobox', { name: 'Search or jump to' })
  await page.keyboard.press('Control+k')
  await box.fill('app 010')
  await expect(page.getByRole('option', { name: /^App 010/ })).toBeVisible()
  await box.fill('stranger')
  await expect(page.getByText("Nothing found for 'stranger'")).toBeVisible()
})

test('an account user can save the account; the request omits the SIP realm', async ({ page }) => {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expectToast(page, "You've successfully logged out.")
  const user = await addUser(platform, 'otto', { service_provider_sid: provider, account_sid: accounts[0] })
  await signIn(page, user.name, user.password)
  await expect(page.getByLabel('Account name')).toHaveValue('Account 001')
  await page.getByRole('textbox', { name: 'Registration webhook' }).fill('https://own.example.com/register')
  await clickSave(page)
  await expectToast(page, 'Account updated successfully')
  await goTo(page, 'Applications')
  await expectTotal(page, 10)
  await goTo(page, 'Carriers')
  await expectTotal(page, 2)
  await goTo(page, 'Phone numbers')
  await expectTotal(page, 30)
  await expectNoForeignRecords(page)
})

test('the console reports an expired session', async ({ page }) => {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  await fetch(`${platform.url}/v1/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  await page.getByRole('link', { name: 'Carriers', exact: true }).click()
  await expect(page).toHaveURL(`${front.url}/`)
  await expectToast(page, 'Your session has expired. Please log in and try again.')
})

import type { Page } from '@playwright/test'
import type { ApiClient } from '../scripts/launch/api'
import { addUser, signIn, type TestUser } from '../scripts/launch/users'
import { startV1Installation, type V1Installation } from './support/v1-installation'
import { selectOption, heading, expectToast, clickSave, signOut } from './support/screen'
import { expect, test } from './support/test'

/** The console in front of a v1 server. */

let installation: V1Installation
let admin: TestUser
let providerSid: string
const accountSids: string[] = []
const threeDigits = (number: number) => String(number).padStart(3, '0')

const addRecords = async (api: ApiClient) => {
  // The first provider by name, so that the console starts with it.
  providerSid = await api.add('/ServiceProviders', { name: 'Aa first provider' })
  const hook = { url: 'https://apps.example.com/call' }
  const hooks = { call_hook: hook, call_status_hook: hook }
  for (let number = 1; number <= 30; number += 1)
    accountSids.push(
      await api.add('/Accounts', {
        name: `Account ${threeDigits(number)}`,
        service_provider_sid: providerSid,
        sip_realm: `a${threeDigits(100 - number)}.example.com`,
      }),
    )
  const applications: string[] = []
  for (let number = 1; number <= 30; number += 1)
    applications.push(
      await api.add('/Applications', {
        name: `App ${threeDigits(number)}`,
        account_sid: accountSids[number % 3],
        ...hooks,
      }),
    )
  const voip_carrier_sid = await api.add('/VoipCarriers', { name: 'Shared trunk', service_provider_sid: providerSid })
  await api.add('/SipGateways', { voip_carrier_sid, ipv4: '192.0.2.1', inbound: 1, outbound: 1 })
  await api.add('/SipGateways', { voip_carrier_sid, ipv4: '192.0.2.2', inbound: 1, outbound: 0 })
  const accountCarrier = { name: 'Own trunk', service_provider_sid: providerSid, account_sid: accountSids[0] }
  const accountCarrierSid = await api.add('/VoipCarriers', accountCarrier)
  await api.add('/SipGateways', { voip_carrier_sid: accountCarrierSid, ipv4: '192.0.2.3', inbound: 0, outbound: 1 })
  for (let number = 1; number <= 30; number += 1)
    await api.add('/PhoneNumbers', {
      number: `1212555${1000 + number}`,
      voip_carrier_sid,
      account_sid: accountSids[0],
      application_sid: number === 1 ? applications[2] : null,
    })

  // Records of another provider, which must never appear.
  const otherProviderSid = await api.add('/ServiceProviders', { name: 'Zz other provider' })
  const foreignAccountSid = await api.add('/Accounts', {
    name: 'Foreign account',
    service_provider_sid: otherProviderSid,
  })
  await api.add('/Applications', { name: 'Foreign app', account_sid: foreignAccountSid, ...hooks })
  await api.add('/VoipCarriers', { name: 'Foreign trunk', service_provider_sid: otherProviderSid })
  await api.add('/PhoneNumbers', { number: '13125559999', account_sid: foreignAccountSid })
}

test.beforeAll(async () => {
  test.setTimeout(180_000)
  installation = await startV1Installation()
  admin = await addUser(installation.server, 'ada-of-v1-server')
  await addRecords(installation.api)
})
test.afterAll(() => installation?.dispose())

const openPage = async (page: Page, linkName: string, title = linkName) => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: linkName, exact: true }).click()
  await expect(heading(page, title)).toBeVisible()
}

const firstName = async (page: Page) => (await page.getByRole('table').getByRole('link').first().textContent()) ?? ''
const expectTotal = (page: Page, count: number) => expect(page.getByText(`Total: ${count} records`)).toBeVisible()
const expectNoForeignRecords = (page: Page) => expect(page.getByText(/foreign|default account/i)).toHaveCount(0)

test.beforeEach(async ({ page }) => {
  installation.v1Api.requests.length = 0
  await page.goto(installation.consoleServer.url)
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
  await openPage(page, 'Applications')
  await expectTotal(page, 30)
  expect(errors).toEqual([])
  expect(installation.v1Api.requests.map(({ path }) => path)).not.toContain('/Abilities')
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
  const accountRequests = installation.v1Api.requests.filter(({ path }) => path.endsWith('/Accounts'))
  expect(accountRequests.length, 'requests the complete list at most twice, not for each letter').toBeLessThanOrEqual(2)
})

test("the list shows the current provider's applications", async ({ page }) => {
  await openPage(page, 'Applications')
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
  await page.getByRole('searchbox', { name: 'Filter applications' }).fill('foreign')
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Filter applications' }).fill('app 01')
  await expectTotal(page, 10)
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await selectOption(page, 'Account', 'Account 001')
  await expectTotal(page, 10)
})

test('a carrier is listed, added and changed with its gateways', async ({ page }) => {
  await openPage(page, 'Carriers')
  await expectTotal(page, 2)
  const sharedRow = page.getByRole('row', { name: /Shared trunk/ })
  await expect(sharedRow).toContainText('2 inbound')
  await expect(sharedRow).toContainText('1 outbound')
  await expect(sharedRow).toContainText('All accounts')
  await expect(page.getByRole('row', { name: /Own trunk/ })).toContainText('Account 001')
  await expectNoForeignRecords(page)

  await page.getByRole('link', { name: 'Add carrier' }).click()
  await page.getByLabel('Carrier name').fill('New trunk')
  const gatewayGroup = (number: number) => page.getByRole('group', { name: `SIP gateway ${number}`, exact: true })
  const addGatewayButton = page.getByRole('button', { name: 'Add SIP gateway' })
  if ((await gatewayGroup(1).count()) === 0) await addGatewayButton.click()
  await gatewayGroup(1).getByLabel('Address').fill('192.0.2.77')
  await addGatewayButton.click()
  await gatewayGroup(2).getByLabel('Address').fill('sip.new.example.com')
  await gatewayGroup(2).getByLabel('Inbound').uncheck()
  await gatewayGroup(2).getByLabel('Outbound').check()
  await selectOption(page, 'Used by', 'Account 002')
  await page.getByRole('combobox', { name: 'Default application' }).click()
  await expect(page.getByRole('option', { name: 'App 001' })).toBeVisible()
  await expectNoForeignRecords(page)
  await page.getByRole('option', { name: 'App 001' }).click()
  await clickSave(page)
  await expectToast(page, 'Carrier created successfully')

  await page
    .getByRole('row', { name: /New trunk/ })
    .getByRole('link', { name: 'Edit New trunk' })
    .click()
  // The server returns gateways in any order.
  await expect(gatewayGroup(2)).toBeVisible()
  const addresses = await Promise.all([1, 2].map((number) => gatewayGroup(number).getByLabel('Address').inputValue()))
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
  await openPage(page, 'Phone numbers')
  await expectTotal(page, 30)
  const firstRow = page.getByRole('row', { name: /555-1001/ })
  await expect(firstRow).toContainText('Account 001')
  await expect(firstRow).toContainText('App 003')
  await expect(firstRow).toContainText('Shared trunk')
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
  const changeRequests = installation.v1Api.requests.filter(({ method }) => method === 'PUT')
  expect(changeRequests.map(({ path }) => path.split('/').length)).toEqual([3, 3, 3, 3, 3])
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

  await openPage(page, 'Applications')
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

  await openPage(page, 'Accounts')
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
  // Only the dialog scrolls. A list that scrolls by itself would cut off its last line.
  const dependentsList = refusal.getByRole('list').first()
  expect(await dependentsList.evaluate((list) => list.scrollHeight - list.clientHeight)).toBe(0)
  await expect(refusal.getByText(/foreign/i)).toHaveCount(0)
  // The console must not send the request, because a v1 server would delete all dependents.
  expect(installation.v1Api.requests.filter(({ method }) => method === 'DELETE')).toEqual([])
  await page.keyboard.press('Escape')

  await openPage(page, 'Applications')
  await page.getByRole('button', { name: 'Delete App 003' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const applicationRefusal = page.getByRole('alertdialog', { name: "App 003 can't be deleted" })
  await expect(applicationRefusal.getByRole('link', { name: /1001/ })).toBeVisible()
  await page.keyboard.press('Escape')

  await openPage(page, 'Carriers')
  await page.getByRole('button', { name: 'Delete Shared trunk' }).click()
  const carrierRefusal = page.getByRole('alertdialog', { name: "Shared trunk can't be deleted" })
  // The server returns numbers in any order; the dialog sorts them.
  await expect(carrierRefusal.getByRole('link').first()).toHaveText('(212) 555-1001')
})

test('the palette does not find records of another provider', async ({ page }) => {
  const searchField = page.getByRole('combobox', { name: 'Search or jump to' })
  await page.keyboard.press('Control+k')
  await searchField.fill('app 010')
  await expect(page.getByRole('option', { name: /^App 010/ })).toBeVisible()
  await searchField.fill('foreign')
  await expect(page.getByText("Nothing found for 'foreign'")).toBeVisible()
})

test('an account user can save the account; the request omits the SIP realm', async ({ page }) => {
  await signOut(page)
  await expectToast(page, "You've successfully logged out.")
  const user = await addUser(installation.server, 'otto', {
    service_provider_sid: providerSid,
    account_sid: accountSids[0],
  })
  await signIn(page, user.name, user.password)
  await expect(page.getByLabel('Account name')).toHaveValue('Account 001')
  await page.getByRole('textbox', { name: 'Registration webhook' }).fill('https://own.example.com/register')
  await clickSave(page)
  await expectToast(page, 'Account updated successfully')
  await openPage(page, 'Applications')
  await expectTotal(page, 10)
  await openPage(page, 'Carriers')
  await expectTotal(page, 2)
  await openPage(page, 'Phone numbers')
  await expectTotal(page, 30)
  await expectNoForeignRecords(page)
})

test('the console reports an expired session', async ({ page }) => {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  await fetch(`${installation.server.url}/v1/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  await page.getByRole('link', { name: 'Carriers', exact: true }).click()
  await expect(page).toHaveURL(`${installation.consoleServer.url}/`)
  await expectToast(page, 'Your session has expired. Please log in and try again.')
})

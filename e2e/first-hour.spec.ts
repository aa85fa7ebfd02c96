import type { Page } from '@playwright/test'
import { createApiClient } from '../scripts/launch/api'
import { signIn } from '../scripts/launch/users'
import { selectOption, heading, expectToast, clickSave } from './support/screen'
import { startServer, type TestServer } from '../scripts/launch/server'
import { expect, test } from './support/test'

/** A new user's first hour with a new server, in the browser and then with an API key. */
let server: TestServer
test.beforeAll(async () => {
  server = await startServer()
})
test.afterAll(() => server?.dispose())

const newPassword = 'Brass-lantern-7'
const numbers = ['15550100001', '15550100002', '15550100003']

const openPage = (page: Page, linkName: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: linkName, exact: true }).click()

const changePassword = async (page: Page) => {
  await page.goto(server.url)
  await signIn(page, 'admin', server.printedPassword())
  await expect(heading(page, 'Create password')).toBeVisible()
  await page.getByLabel('New password').fill(newPassword)
  await page.getByLabel('Confirm password').fill(newPassword)
  await clickSave(page)
  await expect(page).toHaveURL(/\/internal\/accounts$/)
}

const addAccount = async (page: Page) => {
  await page.getByRole('link', { name: 'Add account' }).first().click()
  await page.getByLabel('Account name').fill('Acme')
  await page.getByLabel('SIP realm').fill('acme.sip.example.com')
  await clickSave(page)
  await expectToast(page, 'Account created successfully')
  await expect(heading(page, 'Edit account')).toBeVisible()
}

const addApplication = async (page: Page) => {
  await openPage(page, 'Applications')
  await page.getByRole('link', { name: 'Add application' }).first().click()
  await page.getByLabel('Application name').fill('Acme front desk')
  await selectOption(page, 'Account', 'Acme')
  await page.getByRole('textbox', { name: 'Calling webhook' }).fill('https://acme.example.com/call')
  await page.getByRole('textbox', { name: 'Call status webhook' }).fill('https://acme.example.com/status')
  await page.getByRole('textbox', { name: 'Messaging webhook' }).fill('https://acme.example.com/message')
  await clickSave(page)
  await expectToast(page, 'Application created successfully')
  await expect(page.getByRole('row', { name: /Acme front desk/ })).toContainText('https://acme.example.com/call')
}

const addPredefinedCarrier = async (page: Page) => {
  await openPage(page, 'Carriers')
  await page.getByRole('link', { name: 'Add carrier' }).first().click()
  await selectOption(page, 'Predefined carrier', 'Twilio')
  await expectToast(page, 'Carrier created successfully')
  await expect(heading(page, 'Edit carrier')).toBeVisible()
  await expect(page.getByLabel('Carrier name')).toHaveValue('Twilio')
  await expect(page.getByRole('group', { name: /^SIP gateway \d+$/ })).toHaveCount(10)
}

const gatewayGroup = (page: Page, position: number) =>
  page.getByRole('group', { name: `SIP gateway ${position}`, exact: true })

const addCarrierByHand = async (page: Page) => {
  await openPage(page, 'Carriers')
  await page.getByRole('link', { name: 'Add carrier' }).first().click()
  await page.getByLabel('Carrier name').fill('Harbour Telecom')
  const addGatewayButton = page.getByRole('button', { name: 'Add SIP gateway' })
  if ((await page.getByRole('group', { name: /^SIP gateway \d+$/ }).count()) === 0) await addGatewayButton.click()
  await gatewayGroup(page, 1).getByLabel('Address').fill('192.0.2.10')
  await addGatewayButton.click()
  await gatewayGroup(page, 2).getByLabel('Address').fill('sip.harbour.example.com')
  await gatewayGroup(page, 2).getByLabel('Inbound').uncheck()
  await gatewayGroup(page, 2).getByLabel('Outbound').check()
  await clickSave(page)
  await expectToast(page, 'Carrier created successfully')
  const row = page.getByRole('row', { name: /Harbour Telecom/ })
  await expect(row).toContainText('1 inbound')
  await expect(row).toContainText('1 outbound')
}

const addNumbers = async (page: Page) => {
  await openPage(page, 'Phone numbers')
  for (const number of numbers) {
    await page.getByRole('link', { name: 'Add phone number' }).first().click()
    await page.getByRole('textbox', { name: 'Phone number' }).fill(number)
    await selectOption(page, 'Carrier', 'Harbour Telecom')
    await selectOption(page, 'Account', 'Acme')
    await clickSave(page)
    await expectToast(page, 'Phone number created successfully')
  }
  // The old list stays visible until the new one has loaded.
  await expect(page.getByRole('checkbox', { name: `Select ${numbers.at(-1)}` })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(page.getByText('3 selected')).toBeVisible()
  await selectOption(page, 'Application', 'Acme front desk')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expectToast(page, 'Number routing updated successfully')
  await expect(page.getByRole('row').filter({ hasText: 'Acme front desk' })).toHaveCount(3)
}

const addKey = async (page: Page): Promise<string> => {
  await openPage(page, 'Accounts')
  await page.getByRole('row', { name: /Acme/ }).getByRole('link', { name: 'Edit Acme' }).click()
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('dialog', { name: 'Create API key' }).getByRole('button', { name: 'Create' }).click()
  await expectToast(page, 'API key created')
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  const token = await dialog.getByLabel('API key', { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  return token
}

type Row = Record<string, unknown>

/** Checks all records through the API, with the account's key. */
const expectRecordsInApi = async (token: string) => {
  const api = createApiClient(server.url, token)
  const [account] = await api.get<Row[]>('/Accounts')
  expect(account).toMatchObject({ name: 'Acme', sip_realm: 'acme.sip.example.com' })
  const [application, ...otherApplications] = await api.get<Row[]>('/Applications')
  expect(otherApplications).toEqual([])
  expect(application).toMatchObject({
    name: 'Acme front desk',
    account_sid: account?.account_sid,
    call_hook: { url: 'https://acme.example.com/call', method: 'POST' },
    call_status_hook: { url: 'https://acme.example.com/status', method: 'POST' },
    messaging_hook: { url: 'https://acme.example.com/message', method: 'POST' },
  })
  const carriers = await api.get<Row[]>('/VoipCarriers')
  expect(carriers.map(({ name }) => name).toSorted()).toEqual(['Harbour Telecom', 'Twilio'])
  const manualCarrier = carriers.find(({ name }) => name === 'Harbour Telecom')
  const gateways = await api.get<Row[]>(`/SipGateways?voip_carrier_sid=${String(manualCarrier?.voip_carrier_sid)}`)
  expect(gateways).toHaveLength(2)
  expect(gateways).toContainEqual(expect.objectContaining({ ipv4: '192.0.2.10', port: 5060, inbound: 1, outbound: 0 }))
  expect(gateways).toContainEqual(expect.objectContaining({ ipv4: 'sip.harbour.example.com', inbound: 0, outbound: 1 }))
  const rows = await api.get<Row[]>('/PhoneNumbers')
  expect(rows.map(({ number }) => number).toSorted()).toEqual(numbers)
  for (const row of rows)
    expect(row).toMatchObject({
      account_sid: account?.account_sid,
      application_sid: application?.application_sid,
      voip_carrier_sid: manualCarrier?.voip_carrier_sid,
    })
}

const expectRecordsInConsole = async (page: Page) => {
  await page.goto(`${server.url}/internal/accounts`)
  await expect(page.getByRole('link', { name: 'Acme', exact: true })).toBeVisible()
  await openPage(page, 'Applications')
  await expect(page.getByRole('link', { name: 'Acme front desk', exact: true })).toBeVisible()
  await openPage(page, 'Carriers')
  await expect(page.getByRole('link', { name: 'Harbour Telecom', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Twilio', exact: true })).toBeVisible()
  await openPage(page, 'Phone numbers')
  await expect(page.getByRole('row').filter({ hasText: 'Acme front desk' })).toHaveCount(3)
}

test('a new user can set up calls on a new server in one session', async ({ page }) => {
  test.setTimeout(180_000)
  await test.step('change the printed password', () => changePassword(page))
  await test.step('add an account', () => addAccount(page))
  await test.step('add an application with webhooks', () => addApplication(page))
  await test.step('add a predefined carrier', () => addPredefinedCarrier(page))
  await test.step('add a carrier with two gateways', () => addCarrierByHand(page))
  await test.step('add three numbers and assign them to the application', () => addNumbers(page))
  const token = await test.step('create an API key of the account', () => addKey(page))
  await test.step('read all records through the API', () => expectRecordsInApi(token))
  await test.step('kill and restart the server', async () => {
    await server.kill()
    await server.start()
  })
  await test.step('see all records in the same session', () => expectRecordsInConsole(page))
  await test.step('read all records with the same API key', () => expectRecordsInApi(token))
})

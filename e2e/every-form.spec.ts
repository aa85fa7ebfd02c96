import type { Page } from '@playwright/test'
import { findAxeViolations } from './support/axe'
import { findDefaultProviderSid } from '../scripts/launch/api'
import { addUser, openAs, type TestUser } from '../scripts/launch/users'
import { selectOption, heading, clickSave, expectToast } from './support/screen'
import { expect, test as base } from './support/test'

/**
 * All forms focus invalid fields, ask before the user loses unsaved changes, and copy the text that their copy buttons
 * name.
 */

interface TestRecords {
  account: string
  application: string
  carrier: string
  number: string
  client: string
  tenant: string
  speech: string
  lcr: string
  user: string
  accountUser: TestUser
}

interface Form {
  path: (records: TestRecords) => string
  title: string
  /** The label of the field to change, and an invalid value for it. */
  field: string
  invalidValue?: string
  /** The field that has the focus after an invalid save, if it is a different one. */
  focusedField?: string
  /** The user; by default an administrator. */
  userOf?: (records: TestRecords) => TestUser
}

const editPath = (area: string, sid: string) => `/internal/${area}/${sid}/edit`

const forms: Form[] = [
  { path: () => '/internal/accounts/add', title: 'Add account', field: 'Account name' },
  { path: ({ account }) => editPath('accounts', account), title: 'Edit account', field: 'Account name' },
  {
    path: ({ account }) => editPath('accounts', account),
    title: 'Edit account',
    field: 'Account name',
    userOf: ({ accountUser }) => accountUser,
  },
  { path: () => '/internal/applications/add', title: 'Add application', field: 'Application name' },
  {
    path: ({ application }) => editPath('applications', application),
    title: 'Edit application',
    field: 'Calling webhook',
  },
  { path: () => '/internal/carriers/add', title: 'Add carrier', field: 'Carrier name' },
  { path: ({ carrier }) => editPath('carriers', carrier), title: 'Edit carrier', field: 'Carrier name' },
  { path: () => '/internal/phone-numbers/add', title: 'Add a phone number', field: 'Phone number' },
  {
    path: () => '/internal/users/add',
    title: 'Add user',
    field: 'Email',
    invalidValue: 'nobody',
    focusedField: 'Username',
  },
  { path: ({ user }) => editPath('users', user), title: 'Edit user', field: 'Username' },
  {
    path: ({ accountUser }) => editPath('users', accountUser.user_sid),
    title: 'Edit user',
    field: 'Email',
    userOf: ({ accountUser }) => accountUser,
  },
  { path: () => '/internal/clients/add', title: 'Add SIP client', field: 'Username' },
  { path: () => '/internal/ms-teams-tenants/add', title: 'Add Microsoft Teams tenant', field: 'Domain name' },
  {
    path: ({ tenant }) => editPath('ms-teams-tenants', tenant),
    title: 'Edit Microsoft Teams tenant',
    field: 'Domain name',
  },
  { path: () => '/internal/settings', title: 'Settings', field: 'Private network CIDR', invalidValue: 'nonsense' },
  {
    path: () => '/internal/settings?tab=provider',
    title: 'Settings',
    field: 'MS Teams domain',
    invalidValue: 'non sense',
  },
  { path: () => '/internal/speech-services/add', title: 'Add speech service', field: 'Label', focusedField: 'Vendor' },
  { path: ({ speech }) => editPath('speech-services', speech), title: 'Edit Speech Service', field: 'Server URI' },
  { path: () => '/internal/least-cost-routing/add', title: 'Add routing table', field: 'Name' },
  { path: ({ lcr }) => editPath('least-cost-routing', lcr), title: 'Edit routing table', field: 'Name' },
]

/** Forms whose fields cannot be invalid: only selects and checkboxes can change. */
const formsWithoutValidation: {
  path: (records: TestRecords) => string
  title: string
  change: (page: Page) => Promise<void>
  expectChanged: (page: Page) => Promise<void>
}[] = [
  {
    path: ({ number }) => editPath('phone-numbers', number),
    title: 'Edit phone number',
    change: (page) => selectOption(page, 'Application', 'Desk'),
    expectChanged: (page) => expect(page.getByRole('combobox', { name: 'Application' })).toHaveText('Desk'),
  },
  {
    path: ({ client }) => editPath('clients', client),
    title: 'Edit SIP client',
    change: (page) => page.getByRole('checkbox', { name: 'Active' }).uncheck(),
    expectChanged: (page) => expect(page.getByRole('checkbox', { name: 'Active' })).not.toBeChecked(),
  },
]

const test = base.extend<object, { records: TestRecords }>({
  records: [
    async ({ api, server }, use) => {
      const service_provider_sid = await findDefaultProviderSid(api)
      await api.put(`/ServiceProviders/${service_provider_sid}`, { ms_teams_fqdn: 'teams.example.com' })
      const realm = 'larkspur.example.com'
      const account_sid = await api.add('/Accounts', { name: 'Larkspur', service_provider_sid, sip_realm: realm })
      const hook = { url: 'https://example.com' }
      const owner = { service_provider_sid, account_sid }
      const voip_carrier_sid = await api.add('/VoipCarriers', { name: 'Trunk', service_provider_sid })
      await api.add('/SipGateways', { voip_carrier_sid, ipv4: '192.0.2.1', inbound: 1, outbound: 1 })
      await api.post('/ApiKeys', { account_sid })
      await api.post('/ApiKeys', { service_provider_sid })
      const { user_sid } = await addUser(server, 'nell', owner)
      await use({
        account: account_sid,
        application: await api.add('/Applications', {
          name: 'Desk',
          account_sid,
          call_hook: hook,
          call_status_hook: hook,
        }),
        carrier: voip_carrier_sid,
        number: await api.add('/PhoneNumbers', { number: '16175550100', voip_carrier_sid, account_sid }),
        client: await api.add('/Clients', { username: 'lobby', password: 'Quiet-harbour-1', account_sid }),
        tenant: await api.add('/MicrosoftTeamsTenants', { tenant_fqdn: 'larkspur.teams.example.com', ...owner }),
        speech: await api.add(`/ServiceProviders/${service_provider_sid}/SpeechCredentials`, {
          vendor: 'cobalt',
          cobalt_server_uri: 'cobalt:2727',
        }),
        lcr: await api.add('/Lcrs', { name: 'Europe', service_provider_sid }),
        user: user_sid,
        accountUser: await addUser(server, 'owner', owner),
      })
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})
test.use({ serverName: 'every-form', permissions: ['clipboard-read', 'clipboard-write'] })

const fieldOf = (page: Page, label: string) => {
  const main = page.getByRole('main')
  const name = new RegExp(`^${label}( \\*)?$`)
  return main.getByRole('textbox', { name }).or(main.getByRole('radiogroup', { name }))
}

const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Checks each copy button against its label and toast: 'Copy {text}', or the last letters of a hidden secret. */
const expectCopyButtons = async (page: Page) => {
  for (const button of await page
    .getByRole('main')
    .getByRole('button', { name: /^Copy / })
    .all()) {
    const [, label = ''] = /^Copy (.+)$/.exec((await button.getAttribute('aria-label')) ?? '') ?? []
    await button.click()
    const toast = page
      .getByRole('region', { name: 'Notifications' })
      .getByText(/ copied to clipboard$/)
      .last()
    await expect(toast).toBeVisible()
    const toastText = ((await toast.textContent()) ?? '').replace(/ copied to clipboard$/, '')
    const copiedText = await readClipboard(page)
    if (toastText.startsWith('•')) expect(copiedText.slice(-4), label).toBe(toastText.slice(-4))
    else expect([toastText, label]).toEqual([copiedText, copiedText])
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button').last().click()
  }
}

/** Expects the question before unsaved changes are lost, and stays. */
const expectLeaveGuard = async (page: Page) => {
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Carriers', exact: true }).click()
  const leaveGuard = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expect(leaveGuard).toBeVisible()
  await leaveGuard.getByRole('button', { name: 'Stay' }).click()
}

for (const { path, title, field, invalidValue = '', focusedField = field, userOf } of forms)
  test(`${title}${userOf ? ' (as an account user)' : ''}: asks before a changed ${field} is lost, and marks an invalid one`, async ({
    page,
    server,
    admin,
    records,
  }) => {
    await openAs(page, server, userOf?.(records) ?? admin, path(records))
    await expect(heading(page, title)).toBeVisible()
    await expectCopyButtons(page)

    await fieldOf(page, field).fill('unsaved')
    await expectLeaveGuard(page)
    await expect(fieldOf(page, field)).toHaveValue('unsaved')

    await fieldOf(page, field).fill(invalidValue)
    await clickSave(page)
    await expect(fieldOf(page, focusedField)).toBeFocused()
    await expect(fieldOf(page, focusedField)).toHaveAttribute('aria-invalid', 'true')
    expect(await findAxeViolations(page)).toEqual([])
  })

for (const { path, title, change, expectChanged } of formsWithoutValidation)
  test(`${title}: asks before a change is lost`, async ({ page, server, admin, records }) => {
    await openAs(page, server, admin, path(records))
    await expect(heading(page, title)).toBeVisible()
    await expectCopyButtons(page)
    await change(page)
    await expectLeaveGuard(page)
    await expectChanged(page)
    expect(await findAxeViolations(page)).toEqual([])
  })

test('Add service provider: a name is required', async ({ page, server, admin }) => {
  await openAs(page, server, admin)
  await page.getByRole('button', { name: 'Add service provider' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true')
  expect(await findAxeViolations(page)).toEqual([])
})

test('a new API key can be copied', async ({ page, server, admin, records }) => {
  await openAs(page, server, admin, editPath('accounts', records.account))
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('dialog', { name: 'Create API key' }).getByRole('button', { name: 'Create' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  const token = await dialog.getByRole('textbox', { name: 'API key' }).inputValue()
  await dialog.getByRole('button', { name: `Copy ${token}` }).click()
  await expectToast(page, `${token} copied to clipboard`)
  expect(await readClipboard(page)).toBe(token)
  expect(await findAxeViolations(page)).toEqual([])
})

test('an API key with an expiry is created after a confirmation', async ({ page, server, api, admin, records }) => {
  await openAs(page, server, admin, editPath('accounts', records.account))
  const listKeys = () => api.get<{ expires_at: string | null }[]>(`/Accounts/${records.account}/ApiKeys`)
  const keysBefore = await listKeys()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create API key' })
  await expect(dialog.getByText('Anyone with this key can act as this account')).toBeVisible()
  expect(await findAxeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await listKeys()).toEqual(keysBefore)

  await page.getByRole('button', { name: 'Create API key' }).click()
  await selectOption(page, 'Expiry', 'Custom date')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByText('Choose a date in the future.')).toBeVisible()
  await dialog.getByLabel('Expiry date').fill('2099-03-05')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const newKeyDialog = page.getByRole('dialog', { name: 'New API key' })
  const token = await newKeyDialog.getByRole('textbox', { name: 'API key' }).inputValue()
  await newKeyDialog.getByRole('button', { name: 'Done' }).click()
  const row = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `Copy key ending in ${token.slice(-4)}` }) })
  await expect(row.getByRole('cell', { name: 'Mar 05, 2099' })).toBeVisible()
  expect(await listKeys()).toHaveLength(keysBefore.length + 1)
})

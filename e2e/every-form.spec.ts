import type { Page } from '@playwright/test'
import { axeFaults } from './support/axe'
import { firstProvider } from '../scripts/launch/api'
import { addPerson, enter, type Person } from '../scripts/launch/users'
import { choose, heading, save, said } from './support/screen'
import { expect, test as plain } from './support/test'

/**
 * Behaviour of all forms: they focus invalid fields, ask before unsaved changes are lost, and copy the text that
 * their copy buttons name.
 */

interface Made {
  provider: string
  account: string
  application: string
  carrier: string
  number: string
  client: string
  tenant: string
  speech: string
  user: string
  owner: Person
}

interface Form {
  path: (made: Made) => string
  title: string
  /** The label of the field to change; `wrong` is an invalid value for it. */
  field: string
  wrong?: string
  /** The field that has the focus after an invalid save, if it is a different one. */
  points?: string
  /** The user; by default an administrator. */
  as?: (made: Made) => Person
}

const edit = (area: string, sid: string) => `/internal/${area}/${sid}/edit`

const forms: Form[] = [
  { path: () => '/internal/accounts/add', title: 'Add account', field: 'Account name' },
  { path: ({ account }) => edit('accounts', account), title: 'Edit account', field: 'Account name' },
  {
    path: ({ account }) => edit('accounts', account),
    title: 'Edit account',
    field: 'Account name',
    as: ({ owner }) => owner,
  },
  { path: () => '/internal/applications/add', title: 'Add application', field: 'Application name' },
  { path: ({ application }) => edit('applications', application), title: 'Edit application', field: 'Calling webhook' },
  { path: () => '/internal/carriers/add', title: 'Add carrier', field: 'Carrier name' },
  { path: ({ carrier }) => edit('carriers', carrier), title: 'Edit carrier', field: 'Carrier name' },
  { path: () => '/internal/phone-numbers/add', title: 'Add a phone number', field: 'Phone number' },
  { path: () => '/internal/users/add', title: 'Add user', field: 'Email', wrong: 'nobody', points: 'Username' },
  { path: ({ user }) => edit('users', user), title: 'Edit user', field: 'Username' },
  { path: ({ owner }) => edit('users', owner.user_sid), title: 'Edit user', field: 'Email', as: ({ owner }) => owner },
  { path: () => '/internal/clients/add', title: 'Add SIP client', field: 'Username' },
  { path: () => '/internal/ms-teams-tenants/add', title: 'Add Microsoft Teams tenant', field: 'Domain name' },
  {
    path: ({ tenant }) => edit('ms-teams-tenants', tenant),
    title: 'Edit Microsoft Teams tenant',
    field: 'Domain name',
  },
  { path: () => '/internal/settings', title: 'Settings', field: 'Private network CIDR', wrong: 'nonsense' },
  { path: () => '/internal/settings?tab=provider', title: 'Settings', field: 'MS Teams domain', wrong: 'non sense' },
  { path: () => '/internal/speech-services/add', title: 'Add speech service', field: 'Label', points: 'Vendor' },
  { path: ({ speech }) => edit('speech-services', speech), title: 'Edit Speech Service', field: 'Server URI' },
  { path: () => '/internal/least-cost-routing/add', title: 'Add outbound call routes', field: 'Name' },
]

const test = plain.extend<object, { made: Made }>({
  made: [
    async ({ api, platform }, use) => {
      const service_provider_sid = await firstProvider(api)
      await api.put(`/ServiceProviders/${service_provider_sid}`, { ms_teams_fqdn: 'teams.example.com' })
      const realm = 'larkspur.example.com'
      const account_sid = await api.add('/Accounts', { name: 'Larkspur', service_provider_sid, sip_realm: realm })
      const hook = { url: 'https://example.com' }
      const tenants = { service_provider_sid, account_sid }
      const voip_carrier_sid = await api.add('/VoipCarriers', { name: 'Trunk', service_provider_sid })
      await api.add('/SipGateways', { voip_carrier_sid, ipv4: '192.0.2.1', inbound: 1, outbound: 1 })
      await api.post('/ApiKeys', { account_sid })
      await api.post('/ApiKeys', { service_provider_sid })
      const { user_sid } = await addPerson(platform, 'nell', tenants)
      await use({
        provider: service_provider_sid,
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
        tenant: await api.add('/MicrosoftTeamsTenants', { tenant_fqdn: 'larkspur.teams.example.com', ...tenants }),
        speech: await api.add(`/ServiceProviders/${service_provider_sid}/SpeechCredentials`, {
          vendor: 'cobalt',
          cobalt_server_uri: 'cobalt:2727',
        }),
        user: user_sid,
        owner: await addPerson(platform, 'owner', tenants),
      })
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})
test.use({ world: 'every-form', permissions: ['clipboard-read', 'clipboard-write'] })

const box = (page: Page, label: string) => {
  const main = page.getByRole('main')
  const name = new RegExp(`^${label}( \\*)?$`)
  return main.getByRole('textbox', { name }).or(main.getByRole('radiogroup', { name }))
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Checks each copy button against its label and toast: 'Copy {text}', or the last letters of a hidden secret. */
const copiesWhatItSays = async (page: Page) => {
  for (const button of await page
    .getByRole('main')
    .getByRole('button', { name: /^Copy / })
    .all()) {
    const [, what = ''] = /^Copy (.+)$/.exec((await button.getAttribute('aria-label')) ?? '') ?? []
    await button.click()
    const toast = page
      .getByRole('region', { name: 'Notifications' })
      .getByText(/ copied to clipboard$/)
      .last()
    await expect(toast).toBeVisible()
    const told = ((await toast.textContent()) ?? '').replace(/ copied to clipboard$/, '')
    const copied = await clipboard(page)
    if (told.startsWith('•')) expect(copied.slice(-4), what).toBe(told.slice(-4))
    else expect([told, what]).toEqual([copied, copied])
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button').last().click()
  }
}

for (const { path, title, field, wrong = '', points = field, as } of forms)
  test(`${title}${as ? ' of one’s own' : ''}: ${field}`, async ({ page, platform, admin, made }) => {
    await enter(page, platform, as?.(made) ?? admin, path(made))
    await expect(heading(page, title)).toBeVisible()
    await copiesWhatItSays(page)

    await box(page, field).fill('unsaved')
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Phone numbers', exact: true })
      .click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(box(page, field)).toHaveValue('unsaved')

    await box(page, field).fill(wrong)
    await save(page)
    await expect(box(page, points)).toBeFocused()
    await expect(box(page, points)).toHaveAttribute('aria-invalid', 'true')
    expect(await axeFaults(page)).toEqual([])
  })

test('Add service provider: requires a name', async ({ page, platform, admin }) => {
  await enter(page, platform, admin)
  await page.getByRole('button', { name: 'Add service provider' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true')
  expect(await axeFaults(page)).toEqual([])
})

test('a new API key can be copied', async ({ page, platform, admin, made }) => {
  await enter(page, platform, admin, edit('accounts', made.account))
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('dialog', { name: 'Create API key' }).getByRole('button', { name: 'Create' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  const token = await dialog.getByRole('textbox', { name: 'API key' }).inputValue()
  await dialog.getByRole('button', { name: `Copy ${token}` }).click()
  await said(page, `${token} copied to clipboard`)
  expect(await clipboard(page)).toBe(token)
  expect(await axeFaults(page)).toEqual([])
})

test('an API key with an expiry is created after a confirmation', async ({ page, platform, api, admin, made }) => {
  await enter(page, platform, admin, edit('accounts', made.account))
  const keys = () => api.get<{ expires_at: string | null }[]>(`/Accounts/${made.account}/ApiKeys`)
  const before = await keys()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create API key' })
  await expect(dialog.getByText('Anyone with this key can act as this account')).toBeVisible()
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await keys()).toEqual(before)

  await page.getByRole('button', { name: 'Create API key' }).click()
  await choose(page, 'Expiry', 'Custom date')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByText('Choose a date in the future.')).toBeVisible()
  await dialog.getByLabel('Expiry date').fill('2099-03-05')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const created = page.getByRole('dialog', { name: 'New API key' })
  const token = await created.getByRole('textbox', { name: 'API key' }).inputValue()
  await created.getByRole('button', { name: 'Done' }).click()
  const row = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `Copy key ending in ${token.slice(-4)}` }) })
  await expect(row.getByRole('cell', { name: 'Mar 05, 2099' })).toBeVisible()
  expect(await keys()).toHaveLength(before.length + 1)
})

import type { Page } from '@playwright/test'
import { firstProvider } from './support/api'
import { axeFaults } from './support/axe'
import { startBucket } from './support/bucket'
import { addPerson, enter } from './support/people'
import { choose, heading, said, save } from './support/screen'
import { expect, test } from './support/test'

test.use({ world: 'account' })

let provider: string
let bucket: Awaited<ReturnType<typeof startBucket>>
test.beforeAll(async ({ api }) => {
  provider = await firstProvider(api)
  bucket = await startBucket()
})
test.afterAll(() => bucket.stop())

const field = (page: Page, name: string) => page.getByLabel(name, { exact: false }).and(page.locator('input'))
const edit = (sid: string) => `/internal/accounts/${sid}/edit`

test('calls are recorded to a bucket that was tried first, and no longer', async ({ page, platform, admin, api }) => {
  const sid = await api.add('/Accounts', { name: 'Recorded', service_provider_sid: provider })
  await enter(page, platform, admin, edit(sid))
  await choose(page, 'Storage vendor', 'S3 compatible')
  const test = page.getByRole('button', { name: 'Test', exact: true })
  await expect(test).toBeDisabled()
  await field(page, 'Endpoint').fill(bucket.endpoint)
  await field(page, 'Bucket name').fill('elsewhere')
  await field(page, 'Access key ID').fill('S3RVER')
  await field(page, 'Secret access key').fill('S3RVER is the secret')
  await page.getByRole('button', { name: 'Add tag' }).click()
  await field(page, 'Tag name').fill('customer')
  await field(page, 'Tag value').fill('recorded')
  await test.click()
  await expect(page.getByText('There is no bucket of that name.')).toBeVisible()
  expect(await axeFaults(page)).toEqual([])
  await field(page, 'Bucket name').fill('recordings')
  await test.click()
  await said(page, 'Bucket Credential is valid.')
  await choose(page, 'Recording format', 'wav')
  await page.getByRole('checkbox', { name: 'Record all calls' }).check()
  await save(page)
  await said(page, 'Account updated successfully')

  await page.reload()
  await expect(field(page, 'Secret access key')).toHaveValue('')
  await expect(field(page, 'Bucket name')).toHaveValue('recordings')
  await expect(field(page, 'Tag name')).toHaveValue('customer')
  // the saved secret is tried as it is, without being typed again
  await test.click()
  await said(page, 'Bucket Credential is valid.')
  expect(await api.get(`/Accounts/${sid}`)).toMatchObject({ record_all_calls: 1, record_format: 'wav' })

  await choose(page, 'Storage vendor', 'None')
  await save(page)
  await expect.poll(() => api.get(`/Accounts/${sid}`)).toMatchObject({ record_all_calls: 0, bucket_credential: null })
})

test('a key file of Google is chosen from the disk', async ({ page, platform, admin, api }) => {
  const sid = await api.add('/Accounts', { name: 'Google', service_provider_sid: provider })
  await enter(page, platform, admin, edit(sid))
  await choose(page, 'Storage vendor', 'Google Cloud Storage')
  const file = (content: string) => ({ name: 'key.json', mimeType: 'application/json', buffer: Buffer.from(content) })
  const chooser = page.getByLabel('Service key file')
  await chooser.setInputFiles(file('nonsense'))
  await expect(page.getByText('Invalid service key file, could not parse as JSON.')).toBeVisible()
  const private_key = '-----BEGIN PRIVATE KEY-----\nMIIEvQHIDDENPART\n-----END PRIVATE KEY-----\n'
  await chooser.setInputFiles(file(JSON.stringify({ client_email: 'recorder@example.com', private_key })))
  await expect(page.getByText('recorder@example.com')).toBeVisible()
  await expect(page.getByText('HIDDENPART')).toHaveCount(0)
  await field(page, 'Bucket name').fill('recordings')
  await save(page)
  await said(page, 'Account updated successfully')
  await page.reload()
  await expect(page.getByText('-----BEGIN PRIVATE KEY----- MIIEvQ')).toBeVisible()
  expect(await axeFaults(page)).toEqual([])
})

test('a new webhook signing secret is made after a question', async ({ page, platform, admin, api }) => {
  const sid = await api.add('/Accounts', { name: 'Signed', service_provider_sid: provider })
  const { webhook_secret } = await api.get(`/Accounts/${sid}`)
  await enter(page, platform, admin, edit(sid))
  await page.getByRole('button', { name: 'Generate a new secret' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Webhook signing secret' })
  await expect(dialog).toContainText('Existing signatures stop working')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await said(page, 'Webhook signing secret was successfully generated')
  const after = await api.get<{ webhook_secret: string }>(`/Accounts/${sid}`)
  expect(after.webhook_secret).not.toBe(webhook_secret)
  await page.getByRole('button', { name: 'Show webhook signing secret' }).click()
  await expect(page.getByText(after.webhook_secret)).toBeVisible()
})

test('limits are saved with the account and taken away again', async ({ page, platform, admin, api }) => {
  const sid = await api.add('/Accounts', { name: 'Limited', service_provider_sid: provider })
  const limits = () => api.get(`/Accounts/${sid}/Limits?category=voice_call_session`)
  await enter(page, platform, admin, edit(sid))
  const calls = page.getByRole('textbox', { name: 'Max calls' })
  await calls.fill('many')
  await save(page)
  await expect(page.getByText('Max calls must be a whole number, 0 or more.')).toBeVisible()
  await calls.fill('25')
  await save(page)
  await said(page, 'Account updated successfully')
  expect(await limits()).toMatchObject([{ quantity: 25 }])
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('25')
  await calls.fill('')
  await save(page)
  await expect.poll(limits).toEqual([])
})

test("an account's own user deletes it, with the words and the password", async ({ page, platform, api }) => {
  const account_sid = await api.add('/Accounts', { name: 'Leaving', service_provider_sid: provider })
  const owner = await addPerson(platform, 'leaver', { account_sid, service_provider_sid: provider })
  await enter(page, platform, owner, edit(account_sid))
  await expect(heading(page, 'Edit account')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByLabel('Delete message').fill('delete')
  await dialog.getByLabel('Password', { exact: false }).and(page.locator('input')).fill(owner.password)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(
    dialog.getByText('You must type the delete message correctly in order to delete your account.'),
  ).toBeVisible()
  await dialog.getByLabel('Delete message').fill('delete my account')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(heading(page, 'Log in')).toBeVisible()
  await said(page, 'Deleted account Leaving')
  const left = await api.get<{ account_sid: string }[]>('/Accounts')
  expect(left.map((each) => each.account_sid)).not.toContain(account_sid)
})

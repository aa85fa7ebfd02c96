import type { Page } from '@playwright/test'
import { findDefaultProviderSid } from '../scripts/launch/api'
import { findAxeViolations } from './support/axe'
import { startBucket } from './support/bucket'
import { openAs } from '../scripts/launch/users'
import { selectOption, expectToast, clickSave } from './support/screen'
import { expect, test } from './support/test'

test.use({ serverName: 'account' })

let providerSid: string
let bucket: Awaited<ReturnType<typeof startBucket>>
test.beforeAll(async ({ api }) => {
  providerSid = await findDefaultProviderSid(api)
  bucket = await startBucket()
})
test.afterAll(() => bucket.stop())

const fieldOf = (page: Page, name: string) => page.getByLabel(name, { exact: false }).and(page.locator('input'))
const editPath = (sid: string) => `/internal/accounts/${sid}/edit`

test('recording to a bucket can be tested, enabled and disabled', async ({ page, server, admin, api }) => {
  const sid = await api.add('/Accounts', { name: 'Recorded', service_provider_sid: providerSid })
  await openAs(page, server, admin, editPath(sid))
  await selectOption(page, 'Storage vendor', 'S3 compatible')
  const testButton = page.getByRole('button', { name: 'Test', exact: true })
  await expect(testButton).toBeDisabled()
  await fieldOf(page, 'Endpoint').fill(bucket.endpoint)
  await fieldOf(page, 'Bucket name').fill('elsewhere')
  await fieldOf(page, 'Access key ID').fill('S3RVER')
  await fieldOf(page, 'Secret access key').fill('S3RVER is the secret')
  await page.getByRole('button', { name: 'Add tag' }).click()
  await fieldOf(page, 'Tag name').fill('customer')
  await fieldOf(page, 'Tag value').fill('recorded')
  await testButton.click()
  await expect(page.getByText('This bucket does not exist.')).toBeVisible()
  expect(await findAxeViolations(page)).toEqual([])
  await fieldOf(page, 'Bucket name').fill('recordings')
  await testButton.click()
  await expectToast(page, 'Bucket Credential is valid.')
  await selectOption(page, 'Recording format', 'wav')
  await page.getByRole('checkbox', { name: 'Record all calls' }).check()
  await clickSave(page)
  await expectToast(page, 'Account updated successfully')

  await page.reload()
  await expect(fieldOf(page, 'Secret access key')).toHaveValue('')
  await expect(fieldOf(page, 'Bucket name')).toHaveValue('recordings')
  await expect(fieldOf(page, 'Tag name')).toHaveValue('customer')
  // The stored secret is tested without being typed again.
  await testButton.click()
  await expectToast(page, 'Bucket Credential is valid.')
  expect(await api.get(`/Accounts/${sid}`)).toMatchObject({ record_all_calls: 1, record_format: 'wav' })

  await selectOption(page, 'Storage vendor', 'None')
  await clickSave(page)
  await expect.poll(() => api.get(`/Accounts/${sid}`)).toMatchObject({ record_all_calls: 0, bucket_credential: null })
})

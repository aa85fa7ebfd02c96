import type { Page } from '@playwright/test'
import { firstProvider } from '../scripts/launch/api'
import { axeViolations } from './support/axe'
import { startBucket } from './support/bucket'
import { openAs } from '../scripts/launch/users'
import { selectOption, expectToast, clickSave } from './support/screen'
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

test('recording to a bucket can be tested, enabled and disabled', async ({ page, platform, admin, api }) => {
  const sid = await api.add('/Accounts', { name: 'Recorded', service_provider_sid: provider })
  await openAs(page, platform, admin, edit(sid))
  await selectOption(page, 'Storage vendor', 'S3 compatible')
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
  await expect(page.getByText('This bucket does not exist.')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await field(page, 'Bucket name').fill('recordings')
  await test.click()
  await expectToast(page, 'Bucket Credential is valid.')
  await selectOption(page, 'Recording format', 'wav')
  await page.getByRole('checkbox', { name: 'Record all calls' }).check()
  await clickSave(page)
  await expectToast(page, 'Account updated successfully')

  await page.reload()
  await expect(field(page, 'Secret access key')).toHaveValue('')
  await expect(field(page, 'Bucket name')).toHaveValue('recordings')
  await expect(field(page, 'Tag name')).toHaveValue('customer')
  // The stored secret is tested without being typed again.
  await test.click()
  await expectToast(page, 'Bucket Credential is valid.')
  expect(await api.get(`/Accounts/${sid}`)).toMatchObject({ record_all_calls: 1, record_format: 'wav' })

  await selectOption(page, 'Storage vendor', 'None')
  await clickSave(page)
  await expect.poll(() => api.get(`/Accounts/${sid}`)).toMatchObject({ record_all_calls: 0, bucket_credential: null })
})

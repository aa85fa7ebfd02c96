import { createApiClient } from '../scripts/launch/api'
import { addSampleProvider, type SampleProvider } from '../scripts/launch/sample-provider'
import { startServer, type TestServer } from '../scripts/launch/server'
import { addUser, openAs, type TestUser } from '../scripts/launch/users'
import { findAxeViolations } from './support/axe'
import { writeCallRecords } from './support/call-records'
import { heading } from './support/screen'
import { expect, test } from './support/test'

/** The optional columns with the figures of accounts, on a server with calls. */

let server: TestServer
let admin: TestUser
let sample: SampleProvider

test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startServer({ ENABLE_INGEST: 'true' })
  const api = createApiClient(server.url, server.apiKey)
  admin = await addUser(server, 'ada')
  sample = await addSampleProvider(api, { accounts: 12, numbers: 30 })
  const lines = Array.from({ length: 7 }, (_, index) => {
    const tags = `account_sid=${sample.accountSids[0]},service_provider_sid=${sample.service_provider_sid}`
    const fields = `call_sid="c-${index}",from="16175550192",to="18575550100"`
    return `cdrs,${tags},direction=inbound,answered=true ${fields} ${Date.now() - index * 1000}`
  })
  await writeCallRecords(server, lines)
})
test.afterAll(() => server?.dispose())

test('selected columns show figures of all rows with one request, and lead to what they count', async ({ page }) => {
  const countRequests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/RecordCounts')) countRequests.push(request.url())
  })
  await openAs(page, server, admin)
  await expect(heading(page, 'Accounts')).toContainText('13')
  await page.getByRole('button', { name: 'Columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  for (const name of ['Phone numbers', 'Calls in 24 hours', 'Last call'])
    await dialog.getByRole('checkbox', { name }).click()
  // no platform is connected
  await expect(dialog.getByRole('checkbox', { name: 'Calls in progress' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const calls = page.getByRole('link', { name: '7', exact: true })
  await expect(calls).toBeVisible()
  expect(await findAxeViolations(page)).toEqual([])

  countRequests.length = 0
  await page.reload()
  await expect(calls).toBeVisible()
  expect(countRequests).toHaveLength(1)
  await expect(page.getByText('None in 30 days')).toHaveCount(12)

  await calls.click()
  await expect(heading(page, 'Recent calls')).toContainText('7')
})

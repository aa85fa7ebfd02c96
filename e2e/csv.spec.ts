import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { findAxeViolations } from './support/axe'
import { findDefaultProviderSid } from '../scripts/launch/api'
import { openAs } from '../scripts/launch/users'
import { selectOption, heading, expectToast } from './support/screen'
import { expect, test } from './support/test'

test.use({ serverName: 'csv' })
test.describe.configure({ mode: 'serial' })

const header = 'number,carrier,account,application'

/** Downloads the CSV file of a list. Removes the byte order mark, which spreadsheets need. */
const exportCsv = async (page: Page, recordsName: string) => {
  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('button', { name: `Export ${recordsName} as CSV` }).click()
  const download = await downloadEvent
  return {
    name: download.suggestedFilename(),
    text: (await readFile(await download.path(), 'utf8')).replace(/^\ufeff/, ''),
  }
}

const chooseFile = (page: Page, text: string) =>
  page.getByLabel('CSV file').setInputFiles({ name: 'numbers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

const expectSummary = (page: Page, text: string) => expect(page.getByRole('status').getByText(text, { exact: true }))

test.describe('CSV files', () => {
  test.beforeAll(async ({ api }) => {
    const service_provider_sid = await findDefaultProviderSid(api)
    const account_sid = await api.add('/Accounts', { name: 'Larkspur Travel', service_provider_sid })
    await api.add('/VoipCarriers', { name: 'Trunk', service_provider_sid })
    const hook = { url: 'https://example.com' }
    await api.add('/Applications', { name: 'Front desk', account_sid, call_hook: hook, call_status_hook: hook })
  })

  test('phone numbers are checked by row, corrected and imported', async ({ page, server, admin }) => {
    await openAs(page, server, admin, '/internal/phone-numbers')
    await page.getByRole('link', { name: 'Import' }).click()
    await expect(heading(page, 'Import phone numbers')).toBeVisible()
    await chooseFile(page, 'colour\nred')
    await expect(page.getByLabel('CSV file')).toHaveAccessibleDescription(/One of them must be "number"/)
    const rows = Array.from(
      { length: 150 },
      (_, index) => `1617555${String(index).padStart(4, '0')},Trunk,Larkspur Travel,`,
    )
    await chooseFile(page, [header, ...rows, '16175550001,Trunk,,', '1700,Nobody,,'].join('\n'))
    await expectSummary(page, '150 to add · 2 with errors').toBeVisible()
    await page.getByRole('button', { name: 'Show errors only' }).click()
    await expect(page.getByRole('row', { name: /No carrier is named Nobody\./ })).toBeVisible()
    await expect(page.getByRole('row', { name: /Line 3 of the file has the same number/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /Import 150 valid rows/ })).toBeVisible()
    expect(await findAxeViolations(page)).toEqual([])
    await chooseFile(page, [header, ...rows].join('\n'))
    await expectSummary(page, '150 to add').toBeVisible()
    await page.getByRole('button', { name: 'Import 150 rows' }).click()
    await expectToast(page, 'Imported 150 phone numbers')
    await expect(heading(page, 'Phone numbers')).toContainText('150')
  })

  test('all phone numbers that match a filter can be selected across pages and assigned to an application', async ({
    page,
    server,
    admin,
  }) => {
    await openAs(page, server, admin, '/internal/phone-numbers?text=555')
    await expect(heading(page, 'Phone numbers')).toContainText('150')
    await page.getByRole('checkbox', { name: 'Select 16175550000' }).check()
    await page.getByRole('button', { name: 'Select all 150 that match' }).click()
    await expect(page.getByText('150 selected')).toBeVisible()
    await selectOption(page, 'Application', 'Front desk')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expectToast(page, 'Number routing updated successfully')
  })

  test('phone numbers can be exported from a filtered list, changed and imported again', async ({
    page,
    server,
    admin,
    api,
  }) => {
    await openAs(page, server, admin, '/internal/phone-numbers?text=5550014')
    await expect(heading(page, 'Phone numbers')).toContainText('1')
    const { name, text } = await exportCsv(page, 'phone numbers')
    expect(name).toMatch(/^phone-numbers-\d{4}-\d\d-\d\d\.csv$/)
    const [columns = '', ...lines] = text.trim().split('\r\n')
    expect(columns.split(',')).toEqual(
      expect.arrayContaining(['number', 'voip_carrier_sid', 'account_sid', 'application_sid', 'application_name']),
    )
    expect(lines).toHaveLength(1)
    await page.goto('/internal/phone-numbers/import')
    await chooseFile(page, text)
    await expectSummary(page, '1 unchanged').toBeVisible()
    // Removes the application of an existing number, and adds an invalid row.
    await chooseFile(page, [header, '16175550014,Trunk,Larkspur Travel,', ',Trunk,,'].join('\n'))
    await expectSummary(page, '1 to update · 1 with errors').toBeVisible()
    await page.getByRole('button', { name: 'Import 1 valid row' }).click()
    await expectToast(page, 'Imported 1 phone number')
    await expectSummary(page, '1 with errors').toBeVisible()
    const { data } = await api.get<{ data: object[] }>('/PhoneNumbers?page=1&filter=6175550014')
    expect(data).toMatchObject([{ application_sid: null }])
  })

  test('other lists can be exported, without secrets', async ({ page, server, admin }) => {
    await openAs(page, server, admin, '/internal/accounts')
    await expect(heading(page, 'Accounts')).toBeVisible()
    const { text } = await exportCsv(page, 'accounts')
    expect(text).toContain('Larkspur Travel')
    expect(text).not.toMatch(/wh_secret|password/)
    await expectToast(page, 'Exported 2 accounts')
  })
})

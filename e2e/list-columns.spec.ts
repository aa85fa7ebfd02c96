import { addSampleProvider } from '../scripts/launch/sample-provider'
import { openAs } from '../scripts/launch/users'
import { findAxeViolations } from './support/axe'
import { heading } from './support/screen'
import { expect, test } from './support/test'

test.use({ serverName: 'list-columns' })

test.beforeAll(async ({ api }) => {
  await addSampleProvider(api, { accounts: 12, numbers: 30 })
})

test('the columns of a list are selected, and survive a reload', async ({ page, server, admin }) => {
  await openAs(page, server, admin, '/internal/phone-numbers')
  await expect(heading(page, 'Phone numbers')).toContainText('30')
  await page.getByRole('button', { name: 'Columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await dialog.getByRole('checkbox', { name: 'Carrier' }).click()
  await dialog.getByRole('checkbox', { name: 'SID' }).click()
  expect(await findAxeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'SID' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Carrier' })).toHaveCount(0)
  expect(await findAxeViolations(page)).toEqual([])
  // cards have no columns
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: 'Columns' })).toHaveCount(0)
})

test('all selected columns are visible in a table that scrolls sideways, with names and actions in view', async ({
  page,
  server,
  admin,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openAs(page, server, admin)
  await expect(heading(page, 'Accounts')).toContainText('13')
  await page.getByRole('button', { name: 'Columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  const selectedHeads = ['Phone numbers', 'Calls in 24 hours', 'Last call']
  for (const name of selectedHeads) await dialog.getByRole('checkbox', { name }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const table = page.getByRole('region', { name: 'Accounts' })
  for (const name of ['SIP realm', 'SID', ...selectedHeads])
    await expect(table.getByRole('columnheader', { name, exact: true })).toBeAttached()
  expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeGreaterThan(0)
  await table.evaluate((element) => element.scrollTo({ left: 200 }))
  const row = table.getByRole('row').nth(1)
  const nameCell = row.getByRole('cell').nth(1)
  await expect(nameCell).toBeInViewport({ ratio: 1 })
  expect((await nameCell.boundingBox())!.width).toBeGreaterThanOrEqual(200)
  await expect(row.getByRole('button', { name: /^Delete/ })).toBeInViewport({ ratio: 1 })
})

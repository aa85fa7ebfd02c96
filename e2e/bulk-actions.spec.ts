import type { Page } from '@playwright/test'
import { addSampleProvider } from '../scripts/launch/sample-provider'
import { openAs } from '../scripts/launch/users'
import { findAxeViolations } from './support/axe'
import { heading } from './support/screen'
import { expect, test } from './support/test'

test.use({ serverName: 'bulk-actions' })

test.beforeAll(async ({ api }) => {
  await addSampleProvider(api, { accounts: 12, numbers: 6 })
})

const bar = (page: Page) => page.getByRole('group', { name: 'Selection' })
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

for (const [colorScheme, width, height] of [
  ['light', 1440, 900],
  ['dark', 1024, 768],
  ['dark', 390, 844],
] as const)
  test(`selected accounts are deactivated, restored and deleted, ${width} px wide`, async ({ page, server, admin }) => {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    await openAs(page, server, admin)
    await expect(heading(page, 'Accounts')).toContainText('1')
    await expect(page.locator('[data-list-row]').nth(5)).toBeVisible()
    await press(page, 'j', 'x', 'j', 'x')
    await expect(bar(page)).toContainText('2 selected')
    expect(await findAxeViolations(page)).toEqual([])
    await bar(page).getByRole('button', { name: 'Deactivate', exact: true }).click()
    await expect(page.getByText('2 accounts deactivated')).toBeVisible()
    // one account of the sample is inactive
    await expect(page.getByText('Inactive', { exact: true })).toHaveCount(3)
    expect(await findAxeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('2 accounts restored')).toBeVisible()
    await expect(page.getByText('Inactive', { exact: true })).toHaveCount(1)

    // accounts with records of their own cannot be deleted
    await press(page, 'j', 'x', 'j', 'x')
    await bar(page).getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete accounts' })
    await expect(dialog).toContainText('these 2 accounts')
    expect(await findAxeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('list', { name: 'Failures' })).toContainText('In use by')
    await expect(bar(page)).toContainText('selected')
    expect(await findAxeViolations(page)).toEqual([])
  })

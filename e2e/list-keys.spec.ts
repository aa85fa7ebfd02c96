import type { Page } from '@playwright/test'
import { addSampleProvider } from '../scripts/launch/sample-provider'
import { openAs } from '../scripts/launch/users'
import { findAxeViolations } from './support/axe'
import { heading } from './support/screen'
import { expect, test } from './support/test'

test.use({ serverName: 'list-keys' })

test.beforeAll(async ({ api }) => {
  await addSampleProvider(api, { accounts: 12, numbers: 30 })
})

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const focusedRow = (page: Page) => page.locator('[data-list-row]:focus-within')
const scrollTop = (page: Page) => page.getByRole('region', { name: 'Accounts' }).evaluate((list) => list.scrollTop)

test('a list can be worked with the keyboard only', async ({ page, server, admin }) => {
  await page.setViewportSize({ width: 1024, height: 520 })
  await openAs(page, server, admin)
  await expect(heading(page, 'Accounts')).toContainText('13')
  await press(page, ...'jjjjjjjjjj')
  await expect(focusedRow(page)).toBeInViewport()
  const name = (await focusedRow(page).getByRole('link').first().textContent()) ?? ''
  const position = await scrollTop(page)
  expect(position).toBeGreaterThan(0)

  // opens the record and its settings, and returns to the same row and scroll position
  await press(page, 'Enter')
  await expect(heading(page, name)).toBeVisible()
  await press(page, 'e')
  await expect(page.getByLabel('Account name')).toHaveValue(name)
  await page.goBack()
  await expect(heading(page, name)).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name, exact: true })).toBeFocused()
  expect(await scrollTop(page)).toBe(position)
  await press(page, 'k')
  await expect(focusedRow(page)).not.toContainText(name)

  // goes to another list, selects two rows and deletes a third
  await press(page, 'g', 'n')
  await expect(heading(page, 'Phone numbers')).toContainText('30')
  await expect(page.getByRole('row').nth(5)).toBeVisible()
  await press(page, 'j', 'x', 'j', 'x')
  await expect(page.getByText('2 selected')).toBeVisible()
  await press(page, 'j')
  const number = (await focusedRow(page).getByRole('link').first().textContent()) ?? ''
  await press(page, '#')
  const dialog = page.getByRole('alertdialog', { name: 'Delete phone number' })
  await expect(dialog).toBeVisible()
  await press(page, 'Tab')
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeFocused()
  await press(page, 'Enter')
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Deleted phone number')
  await expect(page.getByRole('link', { name: number, exact: true })).toHaveCount(0)
  await expect(page.getByText('2 selected')).toBeVisible()

  await press(page, 'c')
  await expect(heading(page, 'Add a phone number')).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`the dialog of shortcuts has no axe violations in ${colorScheme}`, async ({ page, server, admin }) => {
    await page.emulateMedia({ colorScheme })
    await openAs(page, server, admin)
    await expect(heading(page, 'Accounts')).toContainText('13')
    await press(page, 'Shift+?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Go to')
    expect(await findAxeViolations(page)).toEqual([])
  })

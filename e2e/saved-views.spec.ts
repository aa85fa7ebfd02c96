import { addSampleProvider } from '../scripts/launch/sample-provider'
import { openAs } from '../scripts/launch/users'
import { findAxeViolations } from './support/axe'
import { heading, openUserMenu } from './support/screen'
import { expect, test } from './support/test'

test.use({ serverName: 'saved-views' })

test.beforeAll(async ({ api }) => {
  await addSampleProvider(api, { accounts: 12, numbers: 30 })
})

test('a view keeps filters, order and columns, and its link shows them to others', async ({ page, server, admin }) => {
  await openAs(page, server, admin, '/internal/phone-numbers?sort=-number&page_size=50')
  await expect(heading(page, 'Phone numbers')).toContainText('30')
  const views = page.getByRole('button', { name: 'Views' })
  // with the keyboard: the menu follows its button, and Escape returns to it
  await views.press('Enter')
  await expect(page.getByText('No saved views of this list.')).toBeVisible()
  expect(await findAxeViolations(page)).toEqual([])
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Save view' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Save view' })).toBeHidden()
  await expect(views).toBeFocused()

  await views.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByLabel('Name').fill('By number')
  expect(await findAxeViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  const openView = page.getByRole('button', { name: 'View: By number' })
  await expect(openView).toBeVisible()
  const address = page.url()
  expect(address).toContain('columns=')
  expect(address).toContain('sort=-number')

  // the selection of this browser does not change what the link shows
  await page.goto(`${server.url}/internal/phone-numbers`)
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  await columns.getByRole('checkbox', { name: 'Carrier' }).click()
  await columns.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('columnheader', { name: 'Carrier' })).toHaveCount(0)
  await page.goto(address)
  await expect(page.getByRole('columnheader', { name: 'Carrier' })).toBeVisible()
  await expect(openView).toBeVisible()

  await openView.click()
  expect(await findAxeViolations(page)).toEqual([])
  await expect(page.getByRole('link', { name: 'By number' })).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: 'Delete By number' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Views' })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Views' }).click()
  const copyLink = page.getByRole('button', { name: 'Copy link' })
  await expect(copyLink).toBeVisible()
  // the menu is inside the window
  expect((await copyLink.boundingBox())?.x).toBeGreaterThanOrEqual(0)
  expect(await findAxeViolations(page)).toEqual([])
})

test('a view keeps its row height, whatever the settings say', async ({ page, server, admin }) => {
  await openAs(page, server, admin, '/internal/phone-numbers')
  const row = page.getByRole('row').nth(1)
  const measureRow = async () => (await row.boundingBox())?.height
  const toggleCompactRows = async (isCompact: boolean) => {
    await openUserMenu(page)
    await page.getByRole('checkbox', { name: 'Compact rows' }).setChecked(isCompact)
    await page.keyboard.press('Escape')
  }
  await expect.poll(measureRow).toBe(36)
  await toggleCompactRows(true)
  await expect.poll(measureRow).toBe(30)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').fill('Dense')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'View: Dense' })).toBeVisible()
  const address = page.url()

  await page.goto(`${server.url}/internal/phone-numbers`)
  await toggleCompactRows(false)
  await expect.poll(measureRow).toBe(36)
  await page.goto(address)
  await expect.poll(measureRow).toBe(30)
  // a change of the setting is a change of the view too
  await toggleCompactRows(false)
  await expect.poll(measureRow).toBe(36)
  await expect(page.getByRole('button', { name: 'View: Dense (changed)' })).toBeVisible()
})

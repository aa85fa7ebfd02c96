import type { Page } from '@playwright/test'
import { openAs } from '../scripts/launch/users'
import { heading, expectToast, clickSave } from './support/screen'
import { expect, test } from './support/test'

test.use({ serverName: 'list-return' })

const names = Array.from({ length: 60 }, (_, index) => `Account ${index + 10}`)

test.beforeAll(async ({ api }) => {
  const [provider] = await api.get<{ service_provider_sid: string }[]>('/ServiceProviders')
  for (const name of names)
    await api.add('/Accounts', { name, service_provider_sid: provider?.service_provider_sid ?? '' })
})

const list = (page: Page) => page.getByRole('region', { name: 'Accounts' })
const scrollTop = (page: Page) => list(page).evaluate((region) => region.scrollTop)
const rowLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

/** Opens a record in the lower part of the second page of a list in descending order. */
const openRecord = async (page: Page) => {
  await expect(rowLink(page, 'Account 30')).toBeAttached()
  await list(page).evaluate((region) => region.scrollTo(0, 150))
  await rowLink(page, 'Account 30').click()
  await expect(heading(page, 'Account 30')).toBeVisible()
}

const expectListState = async (page: Page, focusedLink = 'Account 30') => {
  await expect(page).toHaveURL(/\/internal\/accounts\?(?=.*sort=-name)(?=.*page=2)/)
  await expect(rowLink(page, focusedLink)).toBeFocused()
  expect(await scrollTop(page)).toBe(150)
}

const listPath = '/internal/accounts?sort=-name&page=2'

test.describe('returning to a list', () => {
  test('restores page, sort order, scroll position and focus after Cancel', async ({ page, server, admin }) => {
    await openAs(page, server, admin, listPath)
    await openRecord(page)
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await expect(page.getByLabel('Account name')).toHaveValue('Account 30')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expectListState(page, 'Edit Account 30')
  })

  test("restores them after the breadcrumb and the browser's Back button", async ({ page, server, admin }) => {
    await openAs(page, server, admin, listPath)
    await openRecord(page)
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Accounts' }).click()
    await expectListState(page)
    await openRecord(page)
    await page.goBack()
    await expectListState(page)
  })

  test('shows the default list state after a visit to another list', async ({ page, server, admin }) => {
    await openAs(page, server, admin, listPath)
    await openRecord(page)
    await page.getByRole('link', { name: 'Applications', exact: true }).click()
    await expect(heading(page, 'Applications')).toBeVisible()
    await page.getByRole('link', { name: 'Accounts', exact: true }).click()
    await expect(heading(page, 'Accounts')).toBeVisible()
    await expect(page).toHaveURL(/\/internal\/accounts$/)
  })

  test('leads from a filtered list back to its record, also after a reload', async ({ page, server, admin }) => {
    await openAs(page, server, admin, listPath)
    await openRecord(page)
    await page.getByRole('link', { name: 'Numbers of Account 30' }).click()
    await expect(heading(page, 'Phone numbers')).toBeVisible()
    await page.reload()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Account 30' }).click()
    await expect(heading(page, 'Account 30')).toBeVisible()
  })

  test('shows a new record despite earlier filters', async ({ page, server, admin }) => {
    await openAs(page, server, admin, '/internal/accounts?text=account+30&is_active=0')
    await expect(page.getByText('Nothing matches these filters.')).toBeVisible()
    await page.goto('/internal/accounts?text=account+30')
    await expect(rowLink(page, 'Account 30')).toBeVisible()
    await page.getByRole('link', { name: 'Add account' }).click()
    await expect(page.getByLabel('Account name')).toBeFocused()
    await page.getByLabel('Account name').fill('Aardvark')
    await clickSave(page)
    await expectToast(page, 'Account created successfully')
    await page.goto('/internal/accounts')
    await expect(rowLink(page, 'Aardvark')).toBeVisible()
  })
})

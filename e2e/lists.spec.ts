import type { Page } from '@playwright/test'
import { openAs } from '../scripts/launch/users'
import { heading } from './support/screen'
import { expect, test } from './support/test'

const threeDigits = (number: number) => String(number).padStart(3, '0')

/** Behaviour of all lists, tested with many accounts. */
test.describe('a list', () => {
  let providerSid: string

  test.beforeAll(async ({ api }) => {
    providerSid = await api.add('/ServiceProviders', { name: 'Many' })
    for (let number = 1; number <= 130; number += 1)
      await api.add('/Accounts', {
        name: `Account ${threeDigits(number)}`,
        service_provider_sid: providerSid,
        is_active: number % 10 ? 1 : 0,
        sip_realm: `a${threeDigits(131 - number)}.example.com`,
      })
  })

  test.beforeEach(async ({ page, server, admin }) => {
    await openAs(page, server, admin, '/favicon.svg')
    await page.evaluate((sid) => localStorage.setItem('activeServiceProvider', sid), providerSid)
    await page.goto(`${server.url}/internal/accounts`)
    await expect(heading(page, 'Accounts')).toHaveText('Accounts 130')
  })

  const names = (page: Page) =>
    page
      .getByRole('table')
      .getByRole('link', { name: /^Account \d+$/ })
      .allTextContents()
  const pagination = (page: Page) => page.getByRole('navigation', { name: 'Pagination' })

  test('pages forward and back', async ({ page }) => {
    await expect(page.getByText('Total: 130 records')).toBeVisible()
    await expect.poll(async () => (await names(page))[0]).toBe('Account 001')
    await pagination(page).getByRole('button', { name: 'Next page' }).click()
    await expect.poll(async () => (await names(page))[0]).toBe('Account 026')
    await expect(page).toHaveURL(/[?&]page=2/)
    await expect(pagination(page).getByRole('button', { name: 'Page 2', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await page.reload()
    await expect.poll(async () => (await names(page))[0]).toBe('Account 026')
    await page.goBack()
    await expect.poll(async () => (await names(page))[0]).toBe('Account 001')
    await page.goForward()
    await expect.poll(async () => (await names(page))[0]).toBe('Account 026')
    await pagination(page).getByRole('button', { name: 'Page 6', exact: true }).click()
    await expect.poll(async () => (await names(page)).length).toBe(5)
    await expect(pagination(page).getByRole('button', { name: 'Next page' })).toBeDisabled()
  })

  test('shows a hundred rows on one page', async ({ page }) => {
    await page.getByRole('combobox', { name: 'Page size' }).click()
    await page.getByRole('option', { name: '100 / page' }).click()
    await expect(page).toHaveURL(/page_size=100/)
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '101')
    await page.getByRole('region', { name: 'Accounts', exact: true }).focus()
    await page.keyboard.press('End')
    await expect(page.getByRole('link', { name: 'Account 100', exact: true })).toBeVisible()
  })

  test('shows cards on a narrow screen', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByRole('table')).toHaveCount(0)
    const card = page.getByRole('region', { name: 'Accounts', exact: true }).getByRole('listitem').first()
    await expect(card.getByRole('link', { name: 'Account 001', exact: true })).toBeVisible()
    await expect(card.getByRole('button', { name: 'Delete Account 001' })).toBeVisible()
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Inactive' }).click()
    await expect(page.getByText('Total: 13 records')).toBeVisible()
  })

  test('shows a load error in place of the rows, and loads again on request', async ({ page }) => {
    let isBroken = true
    await page.route('**/v1/ServiceProviders/*/Applications**', (route) =>
      isBroken ? route.fulfill({ status: 500, json: { msg: 'The disk is on fire' } }) : route.continue(),
    )
    await page.route('**/v1/Applications?**', (route) =>
      isBroken ? route.fulfill({ status: 500, json: { msg: 'The disk is on fire' } }) : route.continue(),
    )
    await page.getByRole('link', { name: 'Applications', exact: true }).click()
    const main = page.getByRole('main')
    await expect(main.getByText('The disk is on fire')).toBeVisible()
    await expect(page.getByRole('alert').getByText('The disk is on fire')).toBeVisible()
    isBroken = false
    await main.getByRole('button', { name: 'Try again' }).click()
    await expect(heading(page, 'Applications')).toHaveText('Applications 0')
  })
})

test('an administrator of an empty provider gets links to add records', async ({ page, server, api, admin }) => {
  const emptyProvider = await api.add('/ServiceProviders', { name: 'Empty' })
  await openAs(page, server, admin, '/favicon.svg')
  await page.evaluate((sid) => localStorage.setItem('activeServiceProvider', sid), emptyProvider)
  for (const [path, message] of [
    ['accounts', 'No accounts.'],
    ['applications', 'No applications.'],
    ['carriers', 'No Carriers.'],
    ['phone-numbers', 'No phone numbers.'],
  ] as const) {
    await page.goto(`${server.url}/internal/${path}`)
    await expect(page.getByRole('main').getByText(message)).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: /^Add / }).first()).toBeVisible()
  }
})

for (const width of [390, 1440])
  test(`the selection bar shows why numbers of two accounts cannot get an application, ${width} px wide`, async ({
    page,
    server,
    api,
    admin,
  }) => {
    const service_provider_sid = await api.add('/ServiceProviders', { name: `Two accounts ${width}` })
    for (const [index, name] of ['Harbour', 'Willow'].entries()) {
      const account_sid = await api.add('/Accounts', { name: `${name} ${width}`, service_provider_sid })
      const hook = { url: 'https://example.com' }
      await api.add('/Applications', { name: `Desk of ${name}`, account_sid, call_hook: hook, call_status_hook: hook })
      await api.add('/PhoneNumbers', { number: `16175${String(width).padStart(5, '0')}${index}`, account_sid })
    }
    await openAs(page, server, admin, '/favicon.svg')
    await page.evaluate((sid) => localStorage.setItem('activeServiceProvider', sid), service_provider_sid)
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`${server.url}/internal/phone-numbers`)
    const checkboxes = page.getByRole('checkbox', { name: /^Select 1617/ })
    await expect(checkboxes).toHaveCount(2)
    for (const checkbox of await checkboxes.all()) await checkbox.check()
    const reason = page.getByText(
      'These numbers belong to different accounts. To remove their application, choose None. To assign one, select numbers of one account.',
    )
    await expect(reason).toBeInViewport({ ratio: 1 })
    expect(await reason.evaluate((text) => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(0)
    await expect(page.getByRole('button', { name: 'Clear selection' })).toBeInViewport({ ratio: 1 })
    await page.getByRole('combobox', { name: 'Application' }).click()
    await expect(page.getByRole('option')).toHaveText(['None'])
  })

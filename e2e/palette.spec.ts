import type { Page } from '@playwright/test'
import { findDefaultProviderSid } from '../scripts/launch/api'
import { addUser, openAs } from '../scripts/launch/users'
import { heading } from './support/screen'
import { expect, test } from './support/test'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' })
const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search or jump to' })
const findOption = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })

test.describe('the command palette', () => {
  let account_sid: string
  let phone_number_sid: string

  test.beforeAll(async ({ api, server }) => {
    const service_provider_sid = await findDefaultProviderSid(api)
    await addUser(server, 'quartz-user', { service_provider_sid })
    account_sid = await api.add('/Accounts', { name: 'Quartz Logistics', service_provider_sid })
    const hook = { url: 'https://quartz.example.com/call' }
    await api.add('/Applications', { name: 'Quartz desk', account_sid, call_hook: hook, call_status_hook: hook })
    const voip_carrier_sid = await api.add('/VoipCarriers', { name: 'Quartz trunk', service_provider_sid })
    phone_number_sid = await api.add('/PhoneNumbers', { number: '14155550142', voip_carrier_sid, account_sid })
  })

  test.beforeEach(async ({ page, server, admin }) => {
    await openAs(page, server, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(searchBox(page)).toBeFocused()
  })

  test('lists pages and actions, and closes with Escape', async ({ page }) => {
    for (const name of ['Accounts', 'Applications', 'Carriers', 'Phone numbers'])
      await expect(palette(page).getByRole('group', { name: 'Screens' }).getByRole('option', { name })).toBeVisible()
    const actions = palette(page).getByRole('group', { name: 'Actions' })
    for (const name of [
      'Add account',
      'Add application',
      'Add carrier',
      'Add phone number',
      'Import phone numbers',
      'Sign out',
    ])
      await expect(actions.getByRole('option', { name })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(palette(page)).toBeHidden()
    await page.getByRole('button', { name: 'Search or jump to' }).first().click()
    await expect(searchBox(page)).toBeFocused()
  })

  test('finds records of different kinds by name and number', async ({ page }) => {
    await searchBox(page).fill('quartz')
    const records = palette(page).getByRole('group', { name: 'Records' })
    await expect(records.getByRole('option', { name: /^Quartz Logistics/ })).toBeVisible()
    await expect(records.getByRole('option', { name: /Quartz desk/ })).toBeVisible()
    await expect(records.getByRole('option', { name: /Quartz trunk/ })).toBeVisible()
    await expect(records.getByRole('option', { name: /quartz-user/ })).toBeVisible()
    await searchBox(page).fill('415 555-0142')
    await expect(records.getByRole('option', { name: /\(415\) 555-0142/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/internal/phone-numbers/${phone_number_sid}$`))
    await expect(palette(page)).toBeHidden()
  })

  test('finds a record by its SID', async ({ page }) => {
    await searchBox(page).fill(account_sid)
    await expect(findOption(page, /^Quartz Logistics/)).toBeVisible()
    await findOption(page, /^Quartz Logistics/).click()
    await expect(page).toHaveURL(new RegExp(`/internal/accounts/${account_sid}$`))
    await expect(heading(page, 'Quartz Logistics')).toBeVisible()
  })

  test('offers a call search for a number, after the record of that number', async ({ page }) => {
    await searchBox(page).fill('(415) 555-0142')
    await expect(findOption(page, 'Search calls for 4155550142')).toBeVisible()
    await expect(findOption(page, /\(415\) 555-0142/).first()).toHaveAttribute('aria-selected', 'true')
    await findOption(page, 'Search calls for 4155550142').click()
    await expect(page).toHaveURL(/\/internal\/recent-calls\?date=30&text=4155550142$/)
    await expect(page.getByLabel('Filter', { exact: true })).toHaveValue('4155550142')
    await expect(page.getByText('No data.')).toBeVisible()
  })

  test('selects and opens entries with the keyboard', async ({ page, context }) => {
    await searchBox(page).fill('carrier')
    await expect(findOption(page, /Carriers/)).toHaveAttribute('aria-selected', 'true')
    // offered once the search for records has finished
    await expect(findOption(page, 'Search calls for carrier')).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(findOption(page, /Add carrier/)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowDown')
    await expect(findOption(page, 'Search calls for carrier')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowDown')
    await expect(findOption(page, /Carriers/)).toHaveAttribute('aria-selected', 'true')
    const newTabEvent = context.waitForEvent('page')
    await page.keyboard.press('Control+Enter')
    const tab = await newTabEvent
    await expect(heading(tab, 'Carriers')).toBeVisible()
    await expect(palette(page)).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/internal\/carriers\/add$/)
    await expect(heading(page, 'Add carrier')).toBeVisible()
  })

  test('offers recent records, the actions of the record in view, and clears before it closes', async ({
    page,
    context,
  }) => {
    const group = (name: string) => palette(page).getByRole('group', { name })
    await searchBox(page).fill(account_sid.slice(0, 8))
    await findOption(page, /^Quartz Logistics/).click()
    await expect(heading(page, 'Quartz Logistics')).toBeVisible()
    await expect(page).toHaveTitle('Quartz Logistics · Accounts · Trunkline')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.keyboard.press('Control+k')
    await expect(group('Recent')).toHaveCount(0)
    for (const name of ['Edit account', 'Calls', 'Alerts', 'Copy link', 'Copy SID', 'Delete'])
      await expect(group('On this page').getByRole('option', { name, exact: true })).toBeVisible()
    await group('On this page').getByRole('option', { name: 'Copy SID' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(account_sid)

    await page.getByRole('link', { name: 'Carriers', exact: true }).first().click()
    await expect(heading(page, 'Carriers')).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(group('On this page').getByRole('option', { name: 'Add carrier' })).toBeVisible()
    await expect(group('Recent').getByRole('option', { name: /^Quartz Logistics Account/ })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await searchBox(page).fill('carr')
    await page.keyboard.press('Escape')
    await expect(searchBox(page)).toHaveValue('')
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Quartz Logistics')).toBeVisible()
  })

  test('reports an empty result', async ({ page }) => {
    // The text is too short for a search of the calls, which the palette offers for longer texts.
    await searchBox(page).fill('qz')
    await expect(palette(page).getByText("Nothing found for 'qz'")).toBeVisible()
    await expect(palette(page).getByRole('listbox')).toHaveCount(0)
  })

  test('signs out', async ({ page }) => {
    await searchBox(page).fill('sign out')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  })
})

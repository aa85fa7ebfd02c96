import type { Page } from '@playwright/test'
import { addSampleProvider, type SampleProvider } from '../scripts/launch/sample-provider'
import { openAs } from '../scripts/launch/users'
import { expectToast, heading } from './support/screen'
import { expect, test as base } from './support/test'

/** The pages of records: a name in a list opens a page to read, and the settings are one of its tabs. */

const test = base.extend<object, { sample: SampleProvider }>({
  sample: [
    async ({ api }, use) => use(await addSampleProvider(api, { accounts: 3, numbers: 6 })),
    { scope: 'worker', timeout: 120_000, auto: true },
  ],
})
test.use({ serverName: 'record-pages' })

const tabs = (page: Page) => page.getByRole('navigation', { name: /^Sections of/ })
const panel = (page: Page, title: string) => page.getByRole('region', { name: title })

const accountName = 'Alder & Finch Solicitors'

test('an account is read on its page, and edited in its settings', async ({ page, context, server, admin, sample }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const sid = sample.accountSids[0]!
  await openAs(page, server, admin)
  await page.getByRole('link', { name: accountName, exact: true }).click()
  await expect(heading(page, accountName)).toBeVisible()
  await expect(page).toHaveTitle(`${accountName} · Accounts · Trunkline`)
  await page.getByRole('button', { name: 'Copy SID' }).click()
  await expectToast(page, `${sid} copied to clipboard`)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sid)
  await expect(panel(page, 'Last 7 days')).toContainText('No calls in 7 days')
  await expect(panel(page, 'Numbers')).toContainText('(212) 555-0100')

  await tabs(page)
    .getByRole('link', { name: /^Settings/ })
    .click()
  await expect(heading(page, 'Edit account')).toBeVisible()
  await expect(tabs(page).getByRole('link', { name: /^Settings/ })).toBeFocused()
  await page.keyboard.press('1')
  await expect(heading(page, accountName)).toBeVisible()
  await page.keyboard.press('e')
  await expect(page.getByLabel('Account name')).toHaveValue(accountName)
  await page.goBack()

  await tabs(page)
    .getByRole('link', { name: /^Numbers \d+ / })
    .click()
  await expect(page).toHaveURL(new RegExp(`/internal/phone-numbers\\?account=${sid}$`))
  await page.goBack()

  const menuButton = page.getByRole('button', { name: `More actions for ${accountName}` })
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeHidden()
  await menuButton.click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/internal/accounts/${sid}`)
  await menuButton.click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('alertdialog', { name: `${accountName} can't be deleted` })).toBeVisible()
})

test('a page shows its head from the list at once, and its panels as they load', async ({ page, server, admin }) => {
  await openAs(page, server, admin)
  await expect(page.getByRole('link', { name: accountName, exact: true })).toBeVisible()
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/v1/Accounts/**', async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('link', { name: accountName, exact: true }).click()
  await expect(heading(page, accountName)).toBeVisible()
  await expect(page.getByRole('main').getByText('alder.mv.example')).toBeVisible()
  await expect(panel(page, 'Last 7 days')).not.toContainText('No calls')
  release()
  await expect(panel(page, 'Last 7 days')).toContainText('No calls in 7 days')
})

test('applications, numbers and users are read on their pages', async ({ page, server, admin, sample }) => {
  await openAs(page, server, admin, '/internal/applications')
  await page.getByRole('link', { name: 'Alder front desk', exact: true }).click()
  await expect(heading(page, 'Alder front desk')).toBeVisible()
  await expect(panel(page, 'Webhooks')).toContainText('POST https://calls.alder.example/')
  await panel(page, 'Used by').getByRole('link', { name: '(212) 555-0100' }).click()
  await expect(heading(page, '(212) 555-0100')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Alder front desk' })).toBeVisible()
  await expect(panel(page, 'Last 7 days')).toContainText('No calls in 7 days')
  await page.keyboard.press('e')
  await expect(heading(page, 'Edit phone number')).toBeVisible()
  await page.keyboard.press('1')
  await expect(heading(page, '(212) 555-0100')).toBeVisible()
  await page.goto(`/internal/users/${sample.userSid}`)
  await expect(heading(page, 'maria.lindqvist')).toBeVisible()
  await expect(panel(page, 'Sign-in')).toContainText('Password change')
})

test('the pages of records fit into windows from 360 to 2560 pixels', async ({ page, server, admin, sample }) => {
  test.setTimeout(120_000)
  const paths = [
    `/internal/applications/${sample.applicationSids[0]}`,
    `/internal/phone-numbers/${sample.numberSids[0]}`,
    `/internal/users/${sample.userSid}`,
  ]
  await openAs(page, server, admin)
  for (const path of paths) {
    await page.goto(path)
    await expect(tabs(page)).toBeVisible()
    for (const width of [360, 390, 768, 1024, 1440, 1920, 2560]) {
      await page.setViewportSize({ width, height: 900 })
      const overflow = await page.evaluate(() =>
        [document.documentElement, document.querySelector('main [role=region]')!].map(
          (element) => element.scrollWidth - element.clientWidth,
        ),
      )
      expect({ path, width, overflow }).toEqual({ path, width, overflow: [0, 0] })
    }
  }
})

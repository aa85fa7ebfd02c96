import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { openAs } from '../scripts/launch/users'
import { addSampleProvider, type SampleProvider } from '../scripts/launch/sample-provider'
import { heading } from './support/screen'
import { expect, test } from './support/test'

/** Takes the documentation's screenshots with sample data: `npm run screenshots`. */

const folder = fileURLToPath(new URL('../docs/screenshots', import.meta.url))

let sample: SampleProvider
test.beforeAll(async ({ api }) => {
  test.setTimeout(180_000)
  mkdirSync(folder, { recursive: true })
  sample = await addSampleProvider(api)
})

const waitForPage = async (page: Page, title: string) => {
  await expect(heading(page, title)).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
}

for (const scheme of ['light', 'dark'] as const)
  test.describe(scheme, () => {
    test.use({ colorScheme: scheme, contextOptions: { reducedMotion: 'reduce' } })

    const takeScreenshot = (page: Page, name: string) =>
      page.screenshot({ path: `${folder}/${name}-${scheme}.png`, animations: 'disabled', caret: 'hide' })

    test('sign-in', async ({ page }) => {
      await page.goto('/')
      await waitForPage(page, 'Log in')
      await takeScreenshot(page, 'sign-in')
    })

    test('accounts', async ({ page, server, admin }) => {
      await openAs(page, server, admin)
      await waitForPage(page, 'Accounts')
      await takeScreenshot(page, 'accounts')
    })

    test('carrier', async ({ page, server, admin }) => {
      await openAs(page, server, admin, `/internal/carriers/${sample.carrierSids[0]}/edit`)
      await waitForPage(page, 'Edit carrier')
      await expect(page.getByRole('group', { name: /^SIP gateway \d+$/ })).toHaveCount(4)
      await takeScreenshot(page, 'carrier')
    })

    test('phone numbers', async ({ page, server, admin }) => {
      await openAs(page, server, admin, '/internal/phone-numbers')
      await waitForPage(page, 'Phone numbers')
      await takeScreenshot(page, 'phone-numbers')
    })

    test('command palette', async ({ page, server, admin }) => {
      await openAs(page, server, admin, '/internal/phone-numbers')
      await waitForPage(page, 'Phone numbers')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill('ca')
      await expect(page.getByRole('group', { name: 'Records' }).getByRole('option').first()).toBeVisible()
      await page.waitForLoadState('networkidle')
      await takeScreenshot(page, 'palette')
    })

    test('on a phone', async ({ page, server, admin }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await openAs(page, server, admin)
      await waitForPage(page, 'Accounts')
      await takeScreenshot(page, 'accounts-phone')
    })
  })

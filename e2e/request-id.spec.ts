import type { Page } from '@playwright/test'
import { openAs } from '../scripts/launch/users'
import { findAxeViolations } from './support/axe'
import { expect, test } from './support/test'

/** The ID of a failed request, with which an operator finds it in the server's log. */

const requestId = '3f2a6d1c-0b5e-4a7f-9c1d-2e8b7a6f5d4c'

/** Answers the list of SIP clients with a 500, as a server with a damaged table does. */
const failClients = (page: Page) =>
  page.route('**/v1/**/Clients*', (route) =>
    route.fulfill({
      status: 500,
      headers: { 'x-request-id': requestId },
      contentType: 'application/json',
      body: '{"msg":"Something went wrong, please try again."}',
    }),
  )

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

for (const [scheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const)
  test.describe(`${scheme}, ${width} px wide`, () => {
    test.use({ colorScheme: scheme, viewport: { width, height: width === 390 ? 844 : 900 } })

    test('is shown with a failed list and its toast, and can be copied', async ({ page, server, admin }) => {
      await failClients(page)
      await openAs(page, server, admin, '/internal/clients')
      const text = `Request ID ${requestId}`
      const main = page.getByRole('main')
      const notifications = page.getByRole('region', { name: 'Notifications' })
      await expect(main.getByText(text)).toBeVisible()
      await expect(notifications.getByText(text)).toBeVisible()
      expect(await findAxeViolations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      await main.getByRole('button', { name: 'Copy request ID' }).click()
      await expect(notifications.getByText(`${requestId} copied to clipboard`)).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(requestId)
    })
  })

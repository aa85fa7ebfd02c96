import type { Page } from '@playwright/test'
import { createApiClient, type ApiClient } from '../scripts/launch/api'
import { addSampleProvider, type SampleProvider } from '../scripts/launch/sample-provider'
import { startServer, type TestServer } from '../scripts/launch/server'
import { addUser, openAs, signIn, type TestUser } from '../scripts/launch/users'
import { findAxeViolations } from './support/axe'
import { writeCallRecords } from './support/call-records'
import { waitUntilIdle } from './support/navigation'
import { heading, openUserMenu, signOut } from './support/screen'
import { expect, test } from './support/test'

/** Home, on a server with calls of today and of a week ago, and a carrier that fails. */

const homePath = '/internal/home'
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let server: TestServer
let api: ApiClient
let admin: TestUser
let sample: SampleProvider

interface CallOptions {
  trunk?: string
  status?: number
}

/** Writes calls of the last minutes, or of the same minutes on an earlier day. */
const writeCalls = async (count: number, { trunk = 'Atlas Wholesale', status = 200 }: CallOptions, daysAgo = 0) => {
  const tags = `account_sid=${sample.accountSids[0]},service_provider_sid=${sample.service_provider_sid},trunk=${trunk.replaceAll(' ', '\\ ')}`
  const lines = Array.from({ length: count }, (_, index) => {
    const timeMs = Date.now() - daysAgo * dayMs - (index + 1) * 1000
    const fields = `call_sid="c-${daysAgo}-${status}-${index}",from="16175550192",to="18575550100",sip_status=${status}i`
    return `cdrs,${tags},direction=outbound,answered=${status === 200} ${fields} ${timeMs}`
  })
  await writeCallRecords(server, lines)
}

test.beforeAll(async () => {
  test.setTimeout(180_000)
  server = await startServer({ ENABLE_INGEST: 'true' })
  api = createApiClient(server.url, server.apiKey)
  admin = await addUser(server, 'ada')
  sample = await addSampleProvider(api, { accounts: 3, numbers: 6 })
  await writeCalls(30, {}, 7)
  await writeCalls(20, {})
  await writeCalls(12, { trunk: 'Bluewater SIP', status: 503 })
})
test.afterAll(() => server?.dispose())

const openHome = async (page: Page, providerSid = sample.service_provider_sid) => {
  await openAs(page, server, admin)
  await page.evaluate((sid) => localStorage.setItem('activeServiceProvider', sid), providerSid)
  await page.goto(server.url + homePath)
  await expect(heading(page, 'Home')).toBeVisible()
}
const panel = (page: Page, title: string) => page.getByRole('region', { name: title })

const hasNoSidewaysOverflow = (page: Page) =>
  page.evaluate(() => {
    const isWider = (element: Element) => element.scrollWidth > element.clientWidth
    return ![document.documentElement, ...document.querySelectorAll('main, main [role=region]')].some(isWider)
  })

test('shows what happens now, and opens the calls behind a number', async ({ page }) => {
  await openHome(page)
  await expect(page).toHaveTitle('Home · Trunkline')
  await expect(page.getByRole('status').filter({ hasText: 'attention' })).toHaveText(
    '1 thing needs attention: 1 carrier is failing.',
  )
  const calls = panel(page, 'Calls today')
  await expect(calls.getByRole('link', { name: 'Calls today 32' })).toBeVisible()
  await expect(calls).toContainText('30 a week ago')
  await panel(page, 'Failing carriers').getByRole('link', { name: '503 12 calls of Bluewater SIP' }).click()
  await expect(heading(page, 'Recent calls')).toBeVisible()
  await expect(page.getByText('Total: 12 records')).toBeVisible()
  await page.goBack()
  await calls.getByRole('link', { name: '30 a week ago' }).click()
  await expect(page.getByText('Total: 30 records')).toBeVisible()
})

test('the keyboard moves along the hours of the chart and opens one', async ({ page }) => {
  await openHome(page)
  const hours = panel(page, 'Calls today').getByRole('group', { name: 'Calls per hour' })
  await hours.getByRole('button').first().focus()
  await page.keyboard.press('ArrowRight')
  const second = hours.getByRole('button').nth(1)
  await expect(second).toBeFocused()
  await expect(panel(page, 'Calls today')).toContainText((await second.getAttribute('aria-label')) ?? '')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Recent calls')).toBeVisible()
})

test('the calls keep their place while the screen loads', async ({ page }) => {
  await openHome(page)
  await expect(panel(page, 'Calls today')).toBeVisible()
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/Abilities', async (route) => {
    await released
    await route.continue()
  })
  await page.reload()
  const placeholders = page.getByRole('region', { name: 'State of the platform' }).locator('> div > div')
  await expect(placeholders).toHaveCount(2)
  const { y } = (await placeholders.last().boundingBox())!
  release()
  await expect(page.getByText('needs attention:')).toBeVisible()
  expect((await panel(page, 'Calls today').boundingBox())?.y).toBe(y)
})

test('a new platform shows its next step', async ({ page }) => {
  const providerSid = await api.add('/ServiceProviders', { name: 'Zenith' })
  await openHome(page, providerSid)
  const steps = panel(page, 'Set up your platform')
  await expect(steps).toContainText('0 of 4 done')
  expect(await findAxeViolations(page)).toEqual([])
  await steps.getByRole('link', { name: 'Add account' }).click()
  await expect(heading(page, 'Add account')).toBeVisible()
})

test('users can open Home after the sign-in, also the next time', async ({ page }) => {
  await openHome(page)
  await openUserMenu(page)
  await page.getByRole('checkbox', { name: 'Open Home after sign-in' }).check()
  await page.keyboard.press('Escape')
  await signOut(page)
  await expect(heading(page, 'Log in')).toBeVisible()
  await signIn(page, admin.name, admin.password)
  await expect(page).toHaveURL(server.url + homePath)
  await expect(heading(page, 'Home')).toBeVisible()
})

test('requests its data while its code loads', async ({ page }) => {
  await openAs(page, server, admin)
  await page.evaluate((sid) => localStorage.setItem('activeServiceProvider', sid), sample.service_provider_sid)
  await page.route(/\/assets\/forms-[\w-]+\.js$/, () => undefined)
  const requests = ['FailingCarriers', 'RecentCallOverview', 'SpeechCredentials'].map((name) =>
    page.waitForRequest((request) => new URL(request.url()).pathname.endsWith(name)),
  )
  await page.goto(server.url + homePath, { waitUntil: 'commit' })
  await Promise.all(requests)
  await expect(heading(page, 'Home')).toBeHidden()
})

for (const scheme of ['light', 'dark'] as const)
  for (const width of [1440, 390])
    test(`has no axe violations in the ${scheme} scheme at ${width} px`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 900 })
      await openHome(page)
      await expect(panel(page, 'Failing carriers')).toContainText('Bluewater SIP')
      await waitUntilIdle(page)
      expect(await findAxeViolations(page)).toEqual([])
    })

test('never scrolls sideways', async ({ page }) => {
  await openHome(page)
  await expect(panel(page, 'Failing carriers')).toContainText('Bluewater SIP')
  for (const width of [360, 390, 600, 767, 768, 900, 1024, 1180, 1181, 1440, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await hasNoSidewaysOverflow(page), `at ${width}`).toBe(true)
  }
})

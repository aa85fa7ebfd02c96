import { createApiClient } from '../scripts/launch/api'
import { browserArguments } from '../scripts/launch/browser'
import { startServer, type TestServer } from '../scripts/launch/server'
import { addUser, openAs } from '../scripts/launch/users'
import { writeCallRecords } from './support/call-records'
import { openCallsInside } from './support/screen'
import { expect, test } from './support/test'

/** Playwright hides scrollbars by default. Windows and Linux show scrollbars that take space. */
test.use({
  launchOptions: {
    executablePath: process.env.CHROMIUM_PATH || undefined,
    args: browserArguments,
    ignoreDefaultArgs: ['--hide-scrollbars'],
  },
})

let server: TestServer

test.beforeAll(async () => {
  server = await startServer({ ENABLE_INGEST: 'true' })
  const api = createApiClient(server.url, server.apiKey)
  const [account] = await api.get<{ account_sid: string }[]>('/Accounts')
  const lines = Array.from(
    { length: 25 },
    (_, index) =>
      `cdrs,account_sid=${account!.account_sid},direction=inbound,answered=true call_sid="call-${index}",sip_status=200i,duration=9i,from="16175550192",to="18575550100" ${Date.now() - index}`,
  )
  await writeCallRecords(server, lines)
})

test.afterAll(() => server.dispose())

for (const width of [390, 1280, 1440])
  test(`calls below a vertical scrollbar do not scroll sideways, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 700 })
    await openCallsInside(page)
    await openAs(page, server, await addUser(server, `scrollbars${width}`), '/internal/recent-calls?date=7')
    const list = page.getByRole('region', { name: 'Recent calls' })
    const toggle = list.getByRole('button', { expanded: false }).first()
    await expect(toggle).toBeVisible()
    const getHiddenWidths = () =>
      list.evaluate((element) => ({
        scrollbar: (element as HTMLElement).offsetWidth - element.clientWidth,
        hidden: element.scrollWidth - element.clientWidth,
      }))
    expect((await getHiddenWidths()).scrollbar).toBeGreaterThan(0)
    await expect.poll(async () => (await getHiddenWidths()).hidden).toBe(0)

    await page.getByRole('button', { name: 'Overview' }).click()
    await expect(page.getByRole('region', { name: 'Overview' })).toBeVisible()
    await expect.poll(async () => (await getHiddenWidths()).hidden).toBe(0)

    await toggle.click()
    await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
    await expect.poll(async () => (await getHiddenWidths()).hidden).toBe(0)
  })

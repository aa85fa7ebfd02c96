import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, type Page } from '@playwright/test'
import { createApiClient } from '../scripts/launch/api'
import { startDemo } from './support/demo'
import { signIn, signInForToken } from '../scripts/launch/users'
import { findFreePort } from '../scripts/launch/server'

/** Takes the documentation's screenshots of calls from the demo: `npm run screenshots`. */

const screenshotFolder = fileURLToPath(new URL('../docs/screenshots', import.meta.url))
const dataFolder = mkdtempSync(join(tmpdir(), 'trunkline-pictures-'))

let demo: ReturnType<typeof startDemo>
let url: string
let password: string
/** The query that opens the newest call with a recording. */
let callQuery: string

test.beforeAll(async () => {
  test.setTimeout(240_000)
  const port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  demo = startDemo({ DATA_DIR: join(dataFolder, 'demo'), PORT: String(port) })
  await expect.poll(demo.output, { timeout: 200_000 }).toContain(`ready at ${url}`)
  password = /with the password (\S+)/.exec(demo.output())?.[1] ?? ''
  const api = createApiClient(url, await signInForToken(url, { name: 'admin', password }))
  const [provider] = await api.get<Record<string, string>[]>('/ServiceProviders')
  const callsPath = `/ServiceProviders/${provider?.service_provider_sid}/RecentCalls`
  const { data } = await api.get<{ data: Record<string, string>[] }>(
    `${callsPath}?days=30&page=1&count=500&answered=true`,
  )
  const { attempted_at = '', call_sid = '' } = data.find((row) => row.recording_url) ?? {}
  callQuery = `?date=${encodeURIComponent(attempted_at)}&open=${call_sid}`
})

test.afterAll(async () => {
  demo.child.kill('SIGTERM')
  await demo.exited
  rmSync(dataFolder, { recursive: true, force: true })
})

for (const scheme of ['light', 'dark'] as const)
  test.describe(scheme, () => {
    test.use({ colorScheme: scheme, contextOptions: { reducedMotion: 'reduce' } })

    const takeScreenshot = async (page: Page, name: string) => {
      await page.waitForLoadState('networkidle')
      await page.evaluate(() => document.fonts.ready)
      await page.screenshot({
        path: `${screenshotFolder}/${name}-${scheme}.png`,
        animations: 'disabled',
        caret: 'hide',
      })
    }

    const openRecentCalls = async (page: Page, query: string) => {
      await page.goto(url)
      await signIn(page, 'admin', password)
      await expect(page.getByRole('heading', { level: 1, name: /^Accounts/ })).toBeVisible()
      await page.goto(`${url}/internal/recent-calls${query}`)
      await expect(page.getByText(/^Total: [\d,]+ records?$/)).toBeVisible()
    }

    test('recent calls', async ({ page }) => {
      await openRecentCalls(page, '?date=7')
      await page.getByRole('button', { name: 'Overview' }).click()
      await expect(page.getByRole('button', { name: /^Answered/ })).toBeVisible()
      await takeScreenshot(page, 'calls')
    })

    test('a trace', async ({ page }) => {
      await openRecentCalls(page, callQuery)
      await page.getByRole('tab', { name: 'Tracing' }).click()
      await expect(page.getByText(/^\d+ spans/)).toBeVisible()
      await takeScreenshot(page, 'trace')
    })

    test('a recording', async ({ page }) => {
      await openRecentCalls(page, callQuery)
      const player = page.getByRole('region', { name: 'Recording' })
      await expect(player.getByRole('group', { name: 'Events' }).getByRole('button').nth(1)).toBeVisible()
      await player.getByRole('checkbox', { name: 'Show latencies' }).check()
      await player.scrollIntoViewIfNeeded()
      await takeScreenshot(page, 'recording')
    })

    test('a call flow', async ({ page }) => {
      await openRecentCalls(page, callQuery)
      await page.getByRole('tab', { name: 'Call flow' }).click()
      await expect(page.getByRole('listbox', { name: 'Messages' }).getByRole('option').nth(3)).toBeVisible()
      await takeScreenshot(page, 'call-flow')
    })

    test('on a phone', async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await openRecentCalls(page, '?date=7')
      await takeScreenshot(page, 'calls-phone')
    })
  })

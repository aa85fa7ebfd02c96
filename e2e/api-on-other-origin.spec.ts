import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { createApiClient, findDefaultProviderSid, type ApiClient } from '../scripts/launch/api'
import { startServer, type TestServer } from '../scripts/launch/server'
import { addUser, signIn } from '../scripts/launch/users'
import { addRecordedCall } from './support/recorded-call'
import { sampleRecording, sampleSpans } from './support/sample-dialog'
import { clickSave, expectToast, heading } from './support/screen'
import { startStaticWebServer } from './support/static-web-server'
import { expect, test } from './support/test'

/** The console on one origin, a Trunkline API server on another. */

let server: TestServer
let api: ApiClient
test.beforeAll(async () => {
  server = await startServer({ ENABLE_INGEST: 'true' })
  api = createApiClient(server.url, server.apiKey)
})
test.afterAll(() => server?.dispose())

interface ConsoleHost {
  url: string
  close: () => Promise<void>
}

const hosts: Record<string, () => Promise<ConsoleHost>> = {
  'any web server, with a config.json': () => startStaticWebServer({ apiBaseUrl: `${server.url}/v1` }),
  'a server with API_BASE_URL': async () => {
    const consoleServer = await startServer({ API_BASE_URL: `${server.url}/v1` })
    return { url: consoleServer.url, close: () => consoleServer.dispose() }
  },
}

/** Collects what would be broken without an error on the screen: refused requests, missing files, policy violations. */
const collectProblems = (page: Page, consoleUrl: string) => {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('response', (response) => {
    if (response.url().startsWith(consoleUrl) && response.status() >= 400) problems.push(response.url())
  })
  return problems
}

for (const [index, [name, startHost]] of Object.entries(hosts).entries()) {
  test.describe(`the console on ${name}`, () => {
    let host: ConsoleHost
    test.beforeAll(async () => {
      host = await startHost()
    })
    test.afterAll(() => host?.close())

    const openSignedIn = async (page: Page, userName: string, path: string) => {
      const user = await addUser(server, `${userName}-${index}`)
      await page.goto(host.url + path)
      await signIn(page, user.name, user.password)
    }

    test('signs in, opens a list and saves a record, also after a reload', async ({ page }) => {
      const problems = collectProblems(page, host.url)
      const sid = await api.add('/Accounts', {
        name: `Far account ${index}`,
        service_provider_sid: await findDefaultProviderSid(api),
      })
      await openSignedIn(page, 'ada', '/')
      await expect(heading(page, 'Accounts')).toBeVisible()
      await page.getByRole('link', { name: `Edit Far account ${index}` }).click()
      await expect(page).toHaveURL(`${host.url}/internal/accounts/${sid}/edit`)

      await page.reload()
      await page.getByLabel('Account name').fill(`Near account ${index}`)
      await clickSave(page)
      await expectToast(page, 'Account updated successfully')
      expect(await api.get(`/Accounts/${sid}`)).toMatchObject({ name: `Near account ${index}` })
      await page.goto(`${host.url}/internal/accounts`)
      await expect(page.getByRole('link', { name: `Near account ${index}`, exact: true })).toBeVisible()
      // The console uses the additions to version 1 only if it may read the header that announces them.
      await page.goto(`${host.url}/internal/system-health`)
      await expect(heading(page, 'System health')).toBeVisible()
      expect(problems).toEqual([])
    })

    test('shows the icon, plays a recording and downloads it', async ({ page }) => {
      const problems = collectProblems(page, host.url)
      await page.setViewportSize({ width: 1880, height: 1100 })
      const call_sid = `far-call-${index}`
      const { account } = await addRecordedCall(server, api, call_sid, sampleRecording, { spans: sampleSpans })
      await openSignedIn(page, 'bea', '/')
      await expect(heading(page, 'Accounts')).toBeVisible()
      const icon = await page.locator('link[rel=icon]').getAttribute('href')
      const iconResponse = await page.request.get(new URL(icon!, host.url).href)
      expect(iconResponse.headers()['content-type']).toContain('image/svg+xml')

      await page.goto(`${host.url}/internal/recent-calls?account=${account}&open=${call_sid}`)
      const player = page.getByRole('region', { name: 'Recording' })
      await expect(player.getByText('00:00 / 00:20')).toBeVisible()
      await expect(player.locator('canvas').first()).toBeVisible()
      await player.getByRole('button', { name: 'Play' }).click()
      await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()
      const [recording] = await Promise.all([
        page.waitForEvent('download'),
        player.getByRole('button', { name: 'Download record file' }).click(),
      ])
      expect((await readFile(await recording.path())).equals(sampleRecording)).toBe(true)
      const [image] = await Promise.all([
        page.waitForEvent('download'),
        player.getByRole('button', { name: 'Download waveform as image' }).click(),
      ])
      expect((await readFile(await image.path())).subarray(1, 4).toString()).toBe('PNG')
      expect(problems).toEqual([])
    })
  })
}

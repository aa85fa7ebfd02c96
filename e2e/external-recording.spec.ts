import type { Locator, Page } from '@playwright/test'
import { messages } from '@trunkline/contract/messages/recording'
import { createApiClient, findDefaultProviderSid } from '../scripts/launch/api'
import { startServer, type TestServer } from '../scripts/launch/server'
import { addUser, openAs } from '../scripts/launch/users'
import { startRecordingHost, type RecordingHost } from './support/recording-host-double'
import { sampleRecording } from './support/sample-dialog'
import { expect, test } from './support/test'

/** Recordings whose call record names a URL on another server. */

let host: RecordingHost
test.beforeAll(async () => {
  host = await startRecordingHost(sampleRecording)
})
test.afterAll(() => host.close())
test.beforeEach(() => {
  host.requests.length = 0
})

const openCall = async (page: Page, server: TestServer, path: string) => {
  const service_provider_sid = await findDefaultProviderSid(createApiClient(server.url, server.apiKey))
  const accountSid = await createApiClient(server.url, server.apiKey).add('/Accounts', {
    name: 'Harbour',
    service_provider_sid,
  })
  const response = await fetch(`${server.url}/write?db=cdrs&precision=ms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}` },
    body:
      `cdrs,service_provider_sid=${service_provider_sid},account_sid=${accountSid},direction=inbound,answered=true ` +
      `call_sid="c-1",sip_callid="c-1@host",from="16175550192",to="18575550100",duration=20i,` +
      `recording_url="${host.origin}${path}" ${Date.now() - 60_000}`,
  })
  expect(response.status).toBe(204)
  await page.setViewportSize({ width: 1440, height: 1000 })
  await openAs(page, server, await addUser(server, 'ada'), `/internal/recent-calls?account=${accountSid}&open=c-1`)
  const player = page.getByRole('region', { name: 'Recording' })
  await player.getByRole('button', { name: 'Play' }).click()
  const position = player.getByRole('slider', { name: 'Position' })
  await expect.poll(async () => Number(await position.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
  return player
}

/** Whether any pixel of the waveform is painted. */
const hasDrawing = (player: Locator) =>
  player
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
      return pixels?.some((value) => value > 0) ?? false
    })

/** Neither the token nor the address of the console reaches the other server. */
const expectNoCredentials = () => {
  expect(host.requests.length).toBeGreaterThan(0)
  for (const { authorization, cookie, referer } of host.requests)
    expect({ authorization, cookie, referer }).toEqual({
      authorization: undefined,
      cookie: undefined,
      referer: undefined,
    })
}

const testCases = [
  ['has a waveform if RECORDING_ORIGINS names its server and the server allows it', true, '/readable.wav'],
  ['plays without a waveform if RECORDING_ORIGINS does not name its server', false, '/readable.wav'],
  ['plays without a waveform if its server does not allow scripts to read it', true, '/private.wav'],
] as const

for (const [title, isOriginAllowed, path] of testCases)
  test(`a recording on another server ${title}`, async ({ page }) => {
    const server = await startServer({
      ENABLE_INGEST: 'true',
      ...(isOriginAllowed ? { RECORDING_ORIGINS: host.origin } : {}),
    })
    try {
      const player = await openCall(page, server, path)
      const reasonTexts = {
        'not named': player.getByText(messages.notAllowed(host.origin)),
        'not readable': player.getByText(messages.notReadable(new URL(host.origin).host)),
      }
      const hasWaveform = isOriginAllowed && path === '/readable.wav'
      await expect(reasonTexts['not named']).toHaveCount(isOriginAllowed ? 0 : 1)
      await expect(reasonTexts['not readable']).toHaveCount(path === '/private.wav' ? 1 : 0)
      await expect.poll(() => hasDrawing(player)).toBe(hasWaveform)
      expectNoCredentials()
    } finally {
      await server.dispose()
    }
  })

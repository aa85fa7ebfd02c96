import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Page } from '@playwright/test'
import { findAxeViolations } from './support/axe'
import { createApiClient } from '../scripts/launch/api'
import { addUser, openAs, signIn } from '../scripts/launch/users'
import { startV1Api } from './support/v1-api-double'
import {
  addRecordedCall,
  buildSilentMp3,
  generateCallAudio,
  buildWavHeader,
  type RecordedCall,
} from './support/recorded-call'
import { heading, expectToast, openCallsInside } from './support/screen'
import { startServer, type TestServer } from '../scripts/launch/server'
import { expect, test } from './support/test'
import { sampleSpans, sampleRecording } from './support/sample-dialog'
import { waitUntilIdle } from './support/navigation'

/** The recording of a call, with a Trunkline server and with a v1 server, which always sends the complete file. */

let server: TestServer
test.beforeAll(async () => {
  server = await startServer({ ENABLE_INGEST: 'true' })
})
test.afterAll(() => server?.dispose())

const openCall = async (
  page: Page,
  consoleServer: TestServer,
  userName: string,
  call_sid: string,
  { account }: RecordedCall,
) => {
  // beside the list, the player then is as wide as a list without an open call at 1440 px
  await page.setViewportSize({ width: 1880, height: 1100 })
  const user = await addUser(server, userName)
  await page.goto(consoleServer.url)
  await signIn(page, user.name, user.password)
  await expect(heading(page, 'Accounts')).toBeVisible()
  await page.goto(`${consoleServer.url}/internal/recent-calls?account=${account}&open=${call_sid}`)
  const player = page.getByRole('region', { name: 'Recording' })
  await expect(player.getByRole('button', { name: 'Play' })).toBeEnabled()
  return player
}

const position = (page: Page) =>
  page
    .getByRole('slider', { name: 'Position' })
    .getAttribute('aria-valuenow')
    .then((text) => Number(text))

/** The fields in an open dialog; closes the dialog. */
const readDialog = async (page: Page, title: string) => {
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog).toBeVisible()
  const [names, values] = [await dialog.locator('dt').allTextContents(), await dialog.locator('dd').allTextContents()]
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  return Object.fromEntries(names.map((name, index) => [name, values[index]]))
}

test('the player shows a recording with its events', async ({ page }) => {
  const cspViolations: string[] = []
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) cspViolations.push(message.text())
  })
  const call = await addRecordedCall(server, createApiClient(server.url, server.apiKey), 'c-1', sampleRecording, {
    spans: sampleSpans,
  })
  const player = await openCall(page, server, 'ada', 'c-1', call)
  await expect(player.getByText('00:00 / 00:20')).toBeVisible()
  await expect(player.getByRole('list', { name: 'Channels' })).toContainText('Caller(617) 555-0192Callee(857) 555-0100')

  const eventMarks = player.getByRole('group', { name: 'Events' }).getByRole('button')
  await expect(eventMarks).toHaveCount(2)
  await player.getByRole('button', { name: 'Speech to text result at 00:02, Hello, a table for two' }).click()
  expect(await readDialog(page, 'Speech to text result')).toEqual({
    Vendor: 'microsoft',
    Confidence: '0.93',
    'Language code': 'en-US',
    Transcript: 'Hello, a table for two',
    // Speech ends at second 6. The transcript arrived 0.4 s before the end of the span, the time that the application took.
    Latency: '0.40 s',
  })
  // The event is out of view, so the waveform scrolls to it.
  const dtmfMark = player.getByRole('button', { name: 'Dtmf result at 00:13, 4' })
  await dtmfMark.press('Enter')
  await expect.poll(async () => (await dtmfMark.boundingBox())?.x).toBeLessThan(1840)
  expect(await readDialog(page, 'Dtmf result')).toEqual({ Dtmf: '4', Duration: '140ms' })
  await player.getByLabel('Show latencies').check()
  await expect(eventMarks).toHaveCount(5)
  await player.getByRole('button', { name: /^Tts Latency/ }).press('Enter')
  expect(await readDialog(page, 'Tts Latency')).toEqual({ Vendor: 'google', Latency: '320 ms', 'From cache': 'No' })
  await player.getByRole('button', { name: /^Application Response Latency/ }).click({ position: { x: 12, y: 62 } })
  expect(await readDialog(page, 'Application Response Latency')).toEqual({ 'Status code': '200', Latency: '400 ms' })

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await waitUntilIdle(page)
    expect(await findAxeViolations(page)).toEqual([])
  }
  expect(cspViolations).toEqual([])
})

test('a recording can be played with buttons and keys', async ({ page }) => {
  const call = await addRecordedCall(server, createApiClient(server.url, server.apiKey), 'c-2', sampleRecording)
  const player = await openCall(page, server, 'bea', 'c-2', call)
  const [play, pause] = [player.getByRole('button', { name: 'Play' }), player.getByRole('button', { name: 'Pause' })]
  await player.getByRole('button', { name: 'Jump right' }).click()
  await expect.poll(() => position(page)).toBe(15)
  await player.getByRole('button', { name: 'Jump right' }).click()
  await expect.poll(() => position(page)).toBe(20)
  await player.getByRole('button', { name: 'Jump left' }).click()
  await expect.poll(() => position(page)).toBe(5)

  const slider = player.getByRole('slider', { name: 'Position' })
  await slider.focus()
  await page.keyboard.press('Space')
  await expect(pause).toBeVisible()
  await expect.poll(() => position(page)).toBeGreaterThan(5)
  await expect(player.getByRole('img', { name: 'speaks' })).toBeVisible()
  await page.keyboard.press('Space')
  await expect(play).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => position(page)).toBe(0)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => position(page)).toBe(15)
  await page.keyboard.press('Home')
  await expect(slider).toHaveAttribute('aria-valuetext', '00:00 of 00:20')

  // Short recordings initially fit the width; otherwise a second is 100 pixels wide.
  await expect(player.getByLabel('Fit whole call')).toBeChecked()
  await player.getByLabel('Fit whole call').uncheck()
  const waveformBox = (await player.locator('canvas').first().boundingBox())!
  await page.mouse.click(waveformBox.x + 700, waveformBox.y + 40)
  await expect.poll(() => position(page)).toBe(7)
  await player.getByLabel('Fit whole call').check()
  await expect
    .poll(async () => (await player.getByText('00:18', { exact: true }).boundingBox())?.x)
    .toBeGreaterThan(1340)

  await player.getByRole('combobox', { name: /^Speed/ }).click()
  await page.getByRole('option', { name: '2×' }).click()
  await slider.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await play.click()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => position(page)).toBe(20)
  // At the end, playback is paused.
  await expect(play).toBeVisible()
})

test("the player's lists cover the calls below it", async ({ page }) => {
  const api = createApiClient(server.url, server.apiKey)
  const call = await addRecordedCall(server, api, 'c-over', sampleRecording)
  const olderCalls = Array.from({ length: 8 }, (_, index) => {
    const timeMs = call.startedAt.getTime() - 1000 * (index + 1)
    return `cdrs,account_sid=${call.account},direction=inbound,answered=true call_sid="c-over-${index}",from="1",to="2" ${timeMs}`
  })
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const response = await fetch(`${server.url}/write?db=cdrs&precision=ms`, {
    method: 'POST',
    headers,
    body: olderCalls.join('\n'),
  })
  expect(response.status).toBe(204)
  await openCallsInside(page)
  await openCall(page, server, 'olga', 'c-over', call)
  // With all accounts, each row contains a link above the button that opens the row.
  await page.goto(`${server.url}/internal/recent-calls?open=c-over`)
  const player = page.getByRole('region', { name: 'Recording' })
  await expect(player.getByRole('button', { name: 'Play' })).toBeEnabled()
  const lastRow = page.getByRole('row').last()
  await lastRow.scrollIntoViewIfNeeded()
  await player.getByRole('combobox', { name: /^Speed/ }).click()
  await expect(page.getByRole('option')).toHaveCount(6)
  const options = await page.getByRole('option').all()
  const playerBox = (await player.boundingBox())!
  const lastOptionBox = (await options.at(-1)!.boundingBox())!
  expect(lastOptionBox.y + lastOptionBox.height).toBeGreaterThan(playerBox.y + playerBox.height)
  for (const option of options) await option.click({ trial: true, timeout: 2000 })
})

test('a recording below a trace fits the window', async ({ page }) => {
  const call = await addRecordedCall(server, createApiClient(server.url, server.apiKey), 'c-8', sampleRecording, {
    spans: sampleSpans,
  })
  await openCallsInside(page)
  const player = await openCall(page, server, 'gwen', 'c-8', call)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('tab', { name: 'Tracing' }).click()
  await expect(page.getByRole('tree', { name: 'Spans' })).toBeVisible()
  // Both channels together have the height of one waveform.
  expect((await player.getByRole('slider', { name: 'Position' }).boundingBox())?.height).toBe(50)
  const region = page.getByRole('region', { name: 'Recent calls' })
  const openRow = region
    .getByRole('row', { name: /^\d{4}-/ })
    .filter({ has: page.getByRole('button', { expanded: true }) })
  const elements = [player, page.getByText(/^Total: /), region, region.getByRole('columnheader').first(), openRow]
  const [box, paginationBox, list, headerBox, rowBox] = await Promise.all(
    elements.map(async (element) => (await element.boundingBox())!),
  )
  // The distance by which the row can still scroll up to the header.
  const scrollDistance = rowBox!.y - list!.y - headerBox!.height
  expect(box!.y + box!.height - scrollDistance).toBeLessThan(paginationBox!.y - 8)
})

test('a recording can be downloaded unchanged, and deleted after a confirmation', async ({ page }) => {
  const call = await addRecordedCall(server, createApiClient(server.url, server.apiKey), 'c-3', sampleRecording)
  const player = await openCall(page, server, 'cleo', 'c-3', call)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    player.getByRole('button', { name: 'Download record file' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('callid-c-3.wav')
  expect((await readFile(await file.path())).equals(sampleRecording)).toBe(true)
  const [image] = await Promise.all([
    page.waitForEvent('download'),
    player.getByRole('button', { name: 'Download waveform as image' }).click(),
  ])
  expect(image.suggestedFilename()).toBe('callid-c-3.png')
  expect((await readFile(await image.path())).subarray(1, 4).toString()).toBe('PNG')

  await player.getByRole('button', { name: 'Delete record file' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Are you sure you want to delete the record for call c-3?')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await player.getByRole('button', { name: 'Delete record file' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Successfully deleted record')
  await expect(page.getByText(/^No recording of this call is stored\. /)).toBeVisible()
  const response = await fetch(`${server.url}/v1${call.path}`, {
    headers: { authorization: `Bearer ${server.apiKey}` },
  })
  expect(response.status).toBe(404)
})

/**
 * Plays, downloads and deletes a recording in front of another server. Returns the methods of the requests for it at
 * the v1 server.
 */
const playThroughOtherServer = async (
  page: Page,
  username: string,
  call_sid: string,
  file: Buffer,
  format: 'wav' | 'mp3',
  isTrunkline: boolean,
) => {
  const call = await addRecordedCall(server, createApiClient(server.url, server.apiKey), call_sid, file, {
    spans: sampleSpans,
    format,
  })
  const v1Api = await startV1Api(server)
  const consoleServer = await startServer({ API_BASE_URL: isTrunkline ? `${server.url}/v1` : v1Api.url })
  try {
    const player = await openCall(page, consoleServer, username, call_sid, call)
    await expect(player.getByRole('button', { name: /^Dtmf result/ })).toBeVisible()
    await player.getByRole('button', { name: 'Play' }).click()
    await expect.poll(() => position(page)).toBeGreaterThan(0)
    await expect(player.getByText('No waveform data')).toHaveCount(0)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      player.getByRole('button', { name: 'Download record file' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`callid-${call_sid}.${format}`)
    expect((await readFile(await download.path())).equals(file)).toBe(true)
    await player.getByRole('button', { name: 'Delete record file' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Successfully deleted record')
    return v1Api.requests.filter(({ path }) => path.includes('/record/')).map(({ method }) => method)
  } finally {
    await consoleServer.dispose()
    await v1Api.close()
  }
}

test("the console requests complete recordings from a v1 server with the session's token", async ({ page }) => {
  expect(await playThroughOtherServer(page, 'dora', 'c-4', buildSilentMp3(18), 'mp3', false)).toEqual(['GET', 'DELETE'])
})

test('a Trunkline server at another URL streams recordings', async ({ page }) => {
  expect(await playThroughOtherServer(page, 'enid', 'c-6', sampleRecording, 'wav', true)).toEqual([])
})

test('an invalid audio file can still be deleted', async ({ page }) => {
  const invalidAudio = Buffer.concat([buildWavHeader(1000).subarray(0, 12), Buffer.alloc(1000, 'no sound')])
  const call = await addRecordedCall(server, createApiClient(server.url, server.apiKey), 'c-7', invalidAudio)
  const user = await addUser(server, 'fay')
  await openAs(page, server, user, `/internal/recent-calls?account=${call.account}&open=c-7`)
  const player = page.getByRole('region', { name: 'Recording' })
  await expect(player.getByText('No audio loaded')).toBeVisible()
  await expect(player.getByRole('button', { name: 'Play' })).toBeDisabled()
  await expect(player.getByRole('button', { name: 'Delete record file' })).toBeEnabled()
})

test('a two-hour recording plays immediately, and its waveform does not block the page', async ({ page }) => {
  test.setTimeout(180_000)
  const minute = generateCallAudio(60, [[3, 20], [40, 55]], [[22, 38]]) // prettier-ignore
  const minutes = 120
  const wavParts = function* () {
    yield buildWavHeader(minute.length * minutes)
    for (let index = 0; index < minutes; index += 1) yield minute
  }
  const audio = Readable.toWeb(Readable.from(wavParts())) as ReadableStream
  const call = await addRecordedCall(server, createApiClient(server.url, server.apiKey), 'c-5', audio)
  await page.addInitScript(() => {
    const longTasks: number[] = []
    Object.assign(globalThis, { longTasks })
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      entryTypes: ['longtask'],
    })
  })
  const player = await openCall(page, server, 'edda', 'c-5', call)
  const startedAt = Date.now()
  await player.getByRole('button', { name: 'Play' }).click()
  await expect(player.getByText('00:01 / 120:00')).toBeVisible()
  expect(Date.now() - startedAt).toBeLessThan(4000)
  await page.getByRole('slider', { name: 'Position' }).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  // 15 seconds before the end; it plays on unless the end was reached before the second key
  await expect(player.getByText(/^119:(4[5-9]|5\d) \/ 120:00$/)).toBeVisible()
  await waitUntilIdle(page)
  const longestTaskMs = await page.evaluate(() =>
    Math.max(0, ...(globalThis as unknown as { longTasks: number[] }).longTasks),
  )
  expect(longestTaskMs).toBeLessThan(1000)
})

import { createApiClient } from '../scripts/launch/api'
import { axeViolations } from './support/axe'
import { addUser, openAs } from '../scripts/launch/users'
import { addRecordedCall, silentMp3 } from './support/recorded-call'
import { startServer, type TestServer } from '../scripts/launch/server'
import { expect, test } from './support/test'

/** The layout of a call's trace. */

let server: TestServer
test.beforeAll(async () => {
  server = await startServer({ ENABLE_INGEST: 'true' })
})
test.afterAll(() => server?.dispose())

test('a trace shortens only long span names', async ({ page }) => {
  const long = 'verb:gather{inputs=speech,vendor=google,language=en-US}'
  const spans = [
    { name: 'incoming-call', from: 0, to: 20 },
    { name: long, from: 1, to: 9, parent: 'incoming-call' },
    { name: `background-${long}`, from: 2, to: 8, parent: long },
  ]
  const call = await addRecordedCall(server, createApiClient(server.url, server.apiKey), 'c-1', silentMp3(1), {
    spans,
    format: 'mp3',
  })
  const user = await addUser(server, 'gail')
  await page.setViewportSize({ width: 1440, height: 1000 })
  await openAs(page, server, user, `/internal/recent-calls?account=${call.account}&open=c-1`)
  await page.getByRole('tab', { name: 'Tracing' }).click()
  const rows = page.getByRole('tree', { name: 'Spans' }).getByRole('treeitem')
  await expect(rows).toHaveCount(3)
  for (const [at, text] of [
    'gather inputs=speech, vendor=google,…',
    'background-verb:gather inputs=speech…',
  ].entries()) {
    const name = rows.nth(at + 1).getByText(text, { exact: true })
    const room = await name.evaluate((words) => words.clientWidth - words.scrollWidth)
    expect(room, text).toBe(0)
  }
  await expect(rows.nth(1).getByTitle(long)).toBeVisible()
  // A line for each tick of the scale.
  const places = await page.evaluate(() => {
    const lane = document.querySelector('[role=treeitem] > :last-child')!
    const { backgroundPosition, backgroundImage } = getComputedStyle(lane)
    return { lines: backgroundPosition.split(', ').length, images: backgroundImage.split('linear-gradient').length - 1 }
  })
  expect(places.lines).toBeGreaterThan(2)
  expect(places.images).toBe(places.lines)
})

test('the column of span names can be resized by dragging and by keyboard', async ({ page }) => {
  const spans = [{ name: 'incoming-call', from: 0, to: 20 }]
  const call = await addRecordedCall(server, createApiClient(server.url, server.apiKey), 'c-2', silentMp3(1), {
    spans,
    format: 'mp3',
  })
  await page.setViewportSize({ width: 1440, height: 1000 })
  const user = await addUser(server, 'hugh')
  await openAs(page, server, user, `/internal/recent-calls?account=${call.account}&open=c-2`)
  await page.getByRole('tab', { name: 'Tracing' }).click()
  const split = page.getByRole('separator', { name: 'Width of the span names' })
  const left = async () => Math.round((await split.boundingBox())!.x)
  const initial = await left()
  await split.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(left).toBeGreaterThan(initial + 8)
  await split.hover()
  await page.mouse.down()
  await page.mouse.move(initial + 120, 500)
  await page.mouse.up()
  await expect.poll(async () => Math.abs((await left()) - initial - 120)).toBeLessThan(8)
  await page.mouse.move(initial + 300, 500)
  expect(Math.abs((await left()) - initial - 120)).toBeLessThan(8)
  expect(await axeViolations(page)).toEqual([])
  await split.dblclick()
  await expect.poll(left).toBe(initial)
})

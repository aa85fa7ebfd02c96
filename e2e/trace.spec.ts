import { createApiClient } from '../scripts/launch/api'
import { findAxeViolations } from './support/axe'
import { addUser, openAs } from '../scripts/launch/users'
import { addRecordedCall, buildSilentMp3 } from './support/recorded-call'
import { startServer, type TestServer } from '../scripts/launch/server'
import { openCallsInside } from './support/screen'
import { expect, test } from './support/test'

/** The layout of a call's trace. */

let server: TestServer
test.beforeAll(async () => {
  server = await startServer({ ENABLE_INGEST: 'true' })
})
test.afterAll(() => server?.dispose())

test('a trace shortens only long span names', async ({ page }) => {
  const longName = 'verb:gather{inputs=speech,vendor=google,language=en-US}'
  const spans = [
    { name: 'incoming-call', startSeconds: 0, endSeconds: 20 },
    { name: longName, startSeconds: 1, endSeconds: 9, parent: 'incoming-call' },
    { name: `background-${longName}`, startSeconds: 2, endSeconds: 8, parent: longName },
  ]
  const call = await addRecordedCall(server, createApiClient(server.url, server.apiKey), 'c-1', buildSilentMp3(1), {
    spans,
    format: 'mp3',
  })
  const user = await addUser(server, 'gail')
  await openCallsInside(page)
  await page.setViewportSize({ width: 1440, height: 1000 })
  await openAs(page, server, user, `/internal/recent-calls?account=${call.account}&open=c-1`)
  await page.getByRole('tab', { name: 'Tracing' }).click()
  const rows = page.getByRole('tree', { name: 'Spans' }).getByRole('treeitem')
  await expect(rows).toHaveCount(3)
  for (const [index, text] of [
    'gather inputs=speech, vendor=google,…',
    'background-verb:gather inputs=speech…',
  ].entries()) {
    const name = rows.nth(index + 1).getByText(text, { exact: true })
    const spareWidth = await name.evaluate((element) => element.clientWidth - element.scrollWidth)
    expect(spareWidth, text).toBe(0)
  }
  await expect(rows.nth(1).getByTitle(longName)).toBeVisible()
  // A line for each tick of the scale.
  const scale = await page.evaluate(() => {
    const timeline = document.querySelector('[role=treeitem] > :last-child')!
    const { backgroundPosition, backgroundImage } = getComputedStyle(timeline)
    return { lines: backgroundPosition.split(', ').length, images: backgroundImage.split('linear-gradient').length - 1 }
  })
  expect(scale.lines).toBeGreaterThan(2)
  expect(scale.images).toBe(scale.lines)
})

test('the column of span names can be resized by dragging and by keyboard', async ({ page }) => {
  const spans = [{ name: 'incoming-call', startSeconds: 0, endSeconds: 20 }]
  const call = await addRecordedCall(server, createApiClient(server.url, server.apiKey), 'c-2', buildSilentMp3(1), {
    spans,
    format: 'mp3',
  })
  await page.setViewportSize({ width: 1440, height: 1000 })
  const user = await addUser(server, 'hugh')
  await openAs(page, server, user, `/internal/recent-calls?account=${call.account}&open=c-2`)
  await page.getByRole('tab', { name: 'Tracing' }).click()
  const splitter = page.getByRole('separator', { name: 'Width of the span names' })
  const splitterX = async () => Math.round((await splitter.boundingBox())!.x)
  const initialX = await splitterX()
  const readValue = async (attribute: string) => Number(await splitter.getAttribute(attribute))
  const readColumnWidth = () =>
    page.getByText('Span', { exact: true }).evaluate((heading) => Math.round(heading.getBoundingClientRect().width))
  expect(await readValue('aria-valuenow')).toBe(await readColumnWidth())
  await splitter.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(splitterX).toBe(initialX + 16)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(splitterX).toBe(initialX)
  await page.keyboard.press('End')
  await expect.poll(() => readValue('aria-valuenow')).toBe(await readValue('aria-valuemax'))
  expect(await readColumnWidth()).toBe(await readValue('aria-valuemax'))
  await page.keyboard.press('Home')
  await expect.poll(readColumnWidth).toBe(160)
  await page.keyboard.press('Enter')
  await expect.poll(splitterX).toBe(initialX)
  await splitter.hover()
  await page.mouse.down()
  await page.mouse.move(initialX + 120, 500)
  await page.mouse.up()
  await expect.poll(async () => Math.abs((await splitterX()) - initialX - 120)).toBeLessThan(8)
  await page.mouse.move(initialX + 300, 500)
  expect(Math.abs((await splitterX()) - initialX - 120)).toBeLessThan(8)
  expect(await findAxeViolations(page)).toEqual([])
  await splitter.dblclick()
  await expect.poll(splitterX).toBe(initialX)
})

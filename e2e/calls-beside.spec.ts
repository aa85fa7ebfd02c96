import type { Page } from '@playwright/test'
import { createApiClient } from '../scripts/launch/api'
import { startServer, type TestServer } from '../scripts/launch/server'
import { addUser, openAs } from '../scripts/launch/users'
import { findAxeViolations } from './support/axe'
import { boxOf } from './support/boxes'
import { writeCallRecords } from './support/call-records'
import { waitUntilIdle } from './support/navigation'
import { addRecordedCall } from './support/recorded-call'
import { sampleRecording, sampleSpans } from './support/sample-dialog'
import { expect, test } from './support/test'

/** A call that is open beside the list of calls. */

let server: TestServer
let accountSid: string

test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startServer({ ENABLE_INGEST: 'true' })
  const api = createApiClient(server.url, server.apiKey)
  const recorded = await addRecordedCall(server, api, 'recorded', sampleRecording, { spans: sampleSpans })
  accountSid = recorded.account
  const lines = Array.from(
    { length: 60 },
    (_, index) =>
      `cdrs,account_sid=${accountSid},direction=inbound,answered=true,trunk=Harbour\\ Telecom call_sid="call-${index}",sip_status=200i,duration=9i,from="16175550192",to="18575550100" ${recorded.startedAt.getTime() - 1000 * (index + 1)}`,
  )
  await writeCallRecords(server, lines)
})

test.afterAll(() => server?.dispose())

const list = (page: Page) => page.getByRole('region', { name: 'Recent calls' })
const call = (page: Page) => page.getByRole('region', { name: 'Call', exact: true })
const openItem = (page: Page) => list(page).locator('[aria-current=true]')

const openRecordedCall = async (page: Page, username: string, size: { width: number; height: number }) => {
  await page.setViewportSize(size)
  await openAs(page, server, await addUser(server, username), '/internal/recent-calls/recorded?date=7')
  await expect(page.getByRole('button', { name: 'Play' })).toBeEnabled()
}

test('18 calls, the trace and the player of an open call are in view at 1440 × 900', async ({ page }) => {
  await openRecordedCall(page, 'amy', { width: 1440, height: 900 })
  const listBox = await boxOf(list(page))
  await expect(list(page).getByRole('link')).toHaveCount(25)
  const eighteenth = await boxOf(list(page).getByRole('link').nth(17))
  expect(eighteenth.bottom).toBeLessThanOrEqual(listBox.bottom)
  await page.getByRole('tab', { name: 'Tracing' }).click()
  const lastSpan = page.getByRole('tree', { name: 'Spans' }).getByRole('treeitem').last()
  await expect(lastSpan).toBeInViewport({ ratio: 1 })
  const player = page.getByRole('region', { name: 'Recording' })
  for (const button of await player.getByRole('button').all()) await expect(button).toBeInViewport({ ratio: 1 })
  expect((await boxOf(player)).bottom).toBeLessThanOrEqual(900)
  expect((await boxOf(lastSpan)).bottom).toBeLessThanOrEqual((await boxOf(player)).y)
  // the trace fills the height above the player
  const trace = await boxOf(page.getByRole('tree', { name: 'Spans' }))
  expect((await boxOf(player)).y - trace.bottom).toBeLessThan(16)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await waitUntilIdle(page)
    expect(await findAxeViolations(page)).toEqual([])
  }
})

for (const width of [900, 1024, 1280, 1440, 2560])
  test(`an open call fits beside the list, ${width} px wide`, async ({ page }) => {
    await openRecordedCall(page, `bob${width}`, { width, height: 800 })
    const pageWidth = () => page.evaluate(() => document.documentElement.scrollWidth)
    expect(await pageWidth()).toBe(width)
    const player = page.getByRole('region', { name: 'Recording' })
    for (const button of await player.getByRole('button').filter({ visible: true }).all())
      expect((await boxOf(button)).right).toBeLessThanOrEqual(width)
    const numbers = openItem(page).locator('bdi')
    const item = await boxOf(openItem(page))
    // numbers are never cut
    const numbersBox = await boxOf(numbers.last())
    const duration = await boxOf(openItem(page).getByText(/^\d+ s$/))
    expect(numbersBox.right).toBeLessThanOrEqual(duration.x)
    expect(duration.right).toBeLessThanOrEqual(item.right)
    const pagination = page.getByRole('navigation', { name: 'Pagination' })
    expect((await boxOf(pagination)).right).toBeLessThanOrEqual((await boxOf(call(page))).x)
    await page.getByRole('tab', { name: 'Tracing' }).click()
    await expect(page.getByRole('tree', { name: 'Spans' })).toBeVisible()
    expect(await pageWidth()).toBe(width)
    await waitUntilIdle(page)
    expect(await findAxeViolations(page)).toEqual([])
  })

for (const colorScheme of ['light', 'dark'] as const)
  test(`below 900 px an open call takes the place of the list, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await openRecordedCall(page, `cleo-${colorScheme}`, { width: 390, height: 844 })
    await expect(list(page)).toBeHidden()
    await expect(page.getByLabel('Filter')).toHaveCount(0)
    await expect(page.getByText(/^Total: /)).toBeHidden()
    const topBar = await boxOf(page.getByRole('banner'))
    const callBox = await boxOf(call(page))
    expect(callBox).toMatchObject({ x: 0, y: topBar.bottom, right: 390, bottom: 844 })
    expect((await boxOf(page.getByRole('region', { name: 'Recording' }))).bottom).toBe(844)
    for (const tab of ['Details', 'Tracing']) {
      await page.getByRole('tab', { name: tab }).click()
      await waitUntilIdle(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      expect(await findAxeViolations(page)).toEqual([])
    }
    // the list in its place is as it was
    await page.getByRole('button', { name: 'Back to the calls' }).click()
    await expect(page).toHaveURL(/\/recent-calls\?date=7$/)
    const links = list(page).getByRole('listitem').getByRole('link')
    await links.nth(17).click()
    await expect(page).toHaveURL(/\/recent-calls\/call-16\?date=7$/)
    await page.getByRole('button', { name: 'Next call' }).click()
    await page.keyboard.press('Escape')
    await expect(links.nth(18)).toBeFocused()
    await expect(links.nth(18)).toBeInViewport({ ratio: 1 })
  })

test('below 900 px a call opens in its row if the user prefers that', async ({ page }) => {
  await openRecordedCall(page, 'dora', { width: 390, height: 844 })
  await page.getByRole('button', { name: 'Back to the calls' }).click()
  await page.getByRole('button', { name: 'Open calls in place of the list', pressed: true }).click()
  await list(page).getByRole('listitem').first().getByRole('button').first().click()
  await expect(list(page).getByRole('tab', { name: 'Details' })).toBeVisible()
  await expect(page).toHaveURL(/\/recent-calls\/[^/?]+\?date=7/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await findAxeViolations(page)).toEqual([])
})

test('keys go through the calls, and closing returns to the row of the table', async ({ page }) => {
  await openRecordedCall(page, 'dora', { width: 1440, height: 700 })
  await page.keyboard.press('Escape')
  await expect(call(page)).toHaveCount(0)
  await list(page)
    .getByRole('link', { name: /^\d{4}-/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await expect(openItem(page)).toBeFocused()
  for (let count = 0; count < 20; count += 1) await page.keyboard.press(count % 2 ? 'j' : 'ArrowDown')
  await expect(page).toHaveURL(/\/recent-calls\/call-19\?date=7$/)
  await expect(openItem(page)).toBeFocused()
  await expect(openItem(page)).toBeInViewport({ ratio: 1 })
  await expect(call(page).getByText('call-19', { exact: true })).toBeVisible()
  // going through calls adds no history
  await page.keyboard.press('Escape')
  const row = page.locator('[data-row-key^="call-19 "]')
  await expect(row).toBeFocused()
  await expect(row).toBeInViewport({ ratio: 1 })
  await expect(page).toHaveURL(/\/recent-calls\?date=7$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/recent-calls\/call-19\?date=7$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/recent-calls\?date=7$/)
})

test('Escape closes what is innermost first', async ({ page }) => {
  await openRecordedCall(page, 'edda', { width: 1440, height: 900 })
  await page.getByRole('combobox', { name: /^Speed/ }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(call(page)).toBeVisible()
  await page.getByRole('tab', { name: 'Tracing' }).click()
  await page.getByRole('treeitem').nth(1).click()
  await expect(page.getByRole('region', { name: 'Selected span' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Selected span' })).toHaveCount(0)
  await expect(page.getByRole('tree', { name: 'Spans' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete record file' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/recent-calls\/recorded\?/)
  await page.keyboard.press('Escape')
  await expect(call(page)).toHaveCount(0)
})

test('the width of the list can be dragged, and survives a reload', async ({ page }) => {
  await openRecordedCall(page, 'fay', { width: 1440, height: 900 })
  const edge = page.getByRole('separator', { name: 'Width of the list' })
  const before = await boxOf(list(page))
  const handle = await boxOf(edge)
  const y = handle.y + 200
  await page.mouse.move(handle.x + 4, y)
  await page.mouse.down()
  await page.mouse.move(handle.x + 84, y, { steps: 4 })
  await page.mouse.up()
  const after = await boxOf(list(page))
  expect(after.right - before.right).toBeGreaterThan(70)
  expect(after.right - before.right).toBeLessThan(90)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Play' })).toBeEnabled()
  expect((await boxOf(list(page))).right).toBe(after.right)
  expect(await findAxeViolations(page)).toEqual([])
})

test('the tab of a call is in its address', async ({ page }) => {
  await openRecordedCall(page, 'gil', { width: 1440, height: 900 })
  await page.getByRole('tab', { name: 'Tracing' }).click()
  await expect(page).toHaveURL(/\/recent-calls\/recorded\?date=7&tab=trace$/)
  await page.reload()
  await expect(page.getByRole('tree', { name: 'Spans' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true')
  await page.goForward()
  await expect(page.getByRole('tree', { name: 'Spans' })).toBeVisible()
})

import type { Page } from '@playwright/test'
import { createApiClient } from '../scripts/launch/api'
import { addUser, openAs } from '../scripts/launch/users'
import { boxOf, findOverlappingChildren } from './support/boxes'
import { heading, openCallsInside } from './support/screen'
import { failureStatuses, olderCallCount, rightToLeftName, startServerWithCalls } from './support/server-with-calls'
import type { TestServer } from '../scripts/launch/server'
import { expect, test } from './support/test'

let server: TestServer

test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startServerWithCalls()
})

test.afterAll(() => server.dispose())

const openRecentCalls = async (page: Page, width: number, query: string) => {
  await page.setViewportSize({ width, height: 800 })
  await openAs(page, server, await addUser(server, `p${width}${query.length}`), `/internal/recent-calls${query}`)
  await expect(heading(page, 'Recent calls')).toBeVisible()
}

for (const width of [360, 768, 1024, 1280])
  test(`the overview does not overlap or scroll inside, ${width} px wide`, async ({ page }) => {
    await openRecentCalls(page, width, '?date=7')
    const overview = page.getByRole('region', { name: 'Overview' })
    await page.getByRole('button', { name: 'Overview' }).click()
    const ratioFigure = overview.getByRole('button', { name: /^Answered/ })
    const [legend, ratio] = [await boxOf(overview.getByText('not answered', { exact: true })), await boxOf(ratioFigure)]
    expect(legend.right <= ratio.x || legend.bottom <= ratio.y).toBe(true)
    const labels = overview.getByText(/^(\d{4}-\d{2}-\d{2}|\w{3} \d{1,2})$/).filter({ visible: true })
    // Labels for all days, or for the first and last only.
    await expect(labels).toHaveCount(width < 768 ? 2 : 8)
    const lastLabel = await boxOf(labels.last())
    expect(lastLabel.right <= ratio.x || lastLabel.bottom <= ratio.y).toBe(true)

    await overview.getByRole('button', { name: '… and 3 more' }).click()
    await expect(overview.getByRole('button', { name: /^[4-6]\d\d / })).toHaveCount(failureStatuses.length)
    // the chart, the figures and the breakdown
    const content = overview.locator('> *')
    await expect(content.locator('> *')).toHaveCount(3)
    expect(await findOverlappingChildren(content)).toEqual([])
    // Only the list scrolls, not parts of the overview.
    const scrollingClassNames = await overview.evaluate((element) =>
      [element, ...element.querySelectorAll('*')]
        .filter((part) => part.scrollHeight > part.clientHeight && getComputedStyle(part).overflowY !== 'visible')
        .map(({ className }) => String(className)),
    )
    expect(scrollingClassNames).toEqual([])
  })

test('active filters fit a narrow window, without a column menu', async ({ page }) => {
  await openRecentCalls(page, 360, '?date=7&direction=outbound&status=not-answered')
  await expect(page.getByRole('button', { name: 'Pause live refresh' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Columns' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Filters' }).click()
  for (const filter of await page.getByRole('group', { name: 'Filters' }).getByRole('combobox').all())
    expect((await boxOf(filter)).right).toBeLessThanOrEqual(360 - 16)
})

test('active filters fit one line beside the sidebar, with all columns visible', async ({ page }) => {
  await openRecentCalls(page, 1280, '?date=7&direction=outbound&status=not-answered')
  const filters = page.getByRole('group', { name: 'Filters' }).getByRole('combobox')
  await expect(filters.first()).toBeVisible()
  const list = page.getByRole('region', { name: 'Recent calls' })
  await expect(list.getByRole('row')).toHaveCount(failureStatuses.length + 1)
  const filterTops = []
  for (const filter of await filters.all()) filterTops.push((await boxOf(filter)).y)
  expect(new Set(filterTops).size).toBe(1)

  expect(await list.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  // Numbers are never cut; other cut cells have a tooltip.
  const number = list.getByRole('cell', { name: '(617) 555-0192' }).first()
  expect(await number.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0)
  const account = list.getByRole('row').nth(1).getByRole('cell', { name: 'Willowmere Golf and Country Club' })
  await account.hover()
  await expect(account).toHaveAttribute('title', 'Willowmere Golf and Country Club')
  await number.hover()
  await expect(number).not.toHaveAttribute('title')
})

test('the default columns are visible at 1024 px', async ({ page }) => {
  await openRecentCalls(page, 1024, '?date=7')
  const list = page.getByRole('region', { name: 'Recent calls' })
  await expect(list.getByRole('columnheader', { name: 'Duration' })).toBeVisible()
  expect(await list.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})

test('rows are cards at 768 px', async ({ page }) => {
  await openRecentCalls(page, 768, '?date=7')
  const list = page.getByRole('region', { name: 'Recent calls' })
  await expect(list.getByRole('listitem')).toHaveCount(failureStatuses.length + 2)
  await expect(list.getByText('Willowmere Golf and Country Club').first()).toBeVisible()
  expect((await boxOf(list.getByRole('time').first())).x).toBe((await boxOf(heading(page, 'Recent calls'))).x)
})

for (const width of [360, 768, 1024, 1280])
  test(`Captured SIP is a button inside the window, ${width} px wide`, async ({ page }) => {
    await openRecentCalls(page, width, '?date=7')
    const captures = page.getByRole('link', { name: 'Captured SIP' })
    await expect(captures).toBeInViewport({ ratio: 1 })
    const { height, right } = await boxOf(captures)
    expect(right).toBeLessThanOrEqual(width)
    expect(height).toBeGreaterThanOrEqual(28)
    expect(await captures.evaluate((link) => getComputedStyle(link).borderTopWidth)).toBe('1px')
  })

/** Makes the server report these calls in progress. */
const serveLiveCalls = async (page: Page, calls: object[]) => {
  await page.route('**/Abilities', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), live: true } })
  })
  await page.route('**/ServiceProviders/*/Calls', (route) => route.fulfill({ json: calls }))
}

for (const width of [360, 390, 768, 1024, 1100, 1200, 1440])
  test(`all actions fit with calls in progress and captures, ${width} px wide`, async ({ page }) => {
    await serveLiveCalls(page, [])
    await openRecentCalls(page, width, '?date=7')
    await expect(page.getByRole('link', { name: 'Captured SIP' })).toBeVisible()
    for (const name of [/^In progress/, 'Export calls as CSV', 'Pause live refresh', 'Refresh'])
      await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
    expect(await page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBeLessThan(1)
  })

test('calls in progress show both numbers beside the sidebar', async ({ page }) => {
  const activeCall = { from: '15551230000', to: '442079460821', direction: 'inbound', call_status: 'in-progress' }
  await serveLiveCalls(page, [{ ...activeCall, call_sid: 'c', account_sid: 'a', account_name: 'Acme', duration: 75 }])
  for (const width of [360, 768, 1024, 1440]) {
    await openRecentCalls(page, width, '?date=7&show=live')
    const row = page.getByRole('region', { name: 'Calls in progress' }).getByRole('listitem')
    const texts = ['(555) 123-0000 → +442079460821', 'Acme', 'inbound', 'In progress', 'Hang up']
    for (const text of texts) {
      const textElement = row.getByText(text, { exact: true })
      await expect(textElement).toBeVisible()
      expect(
        await textElement.evaluate((element) => element.scrollWidth - element.clientWidth),
        `${text}, ${width}`,
      ).toBeLessThan(1)
    }
    expect((await boxOf(row.getByRole('button'))).right).toBeLessThan(width - 16)
    for (const number of await row.locator('bdi').all())
      expect(await number.evaluate((element) => getComputedStyle(element).whiteSpace), `${width}`).toBe('nowrap')
  }
})

test('a double click selects a number without opening the call, and a click opens it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openRecentCalls(page, 1280, '?date=7')
  const cell = page.getByRole('region', { name: 'Recent calls' }).getByRole('cell', { name: '(617) 555-0192' }).first()
  await cell.getByText('(617) 555-0192').dblclick()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('(617) 555-0192')
  await page.keyboard.press('Control+c')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('+16175550192')
  // longer than the time in which a second click still counts as a double click
  await page.waitForTimeout(600)
  await expect(page.getByText('Attempted at')).toHaveCount(0)
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await cell.click()
  await expect(page.getByText('Attempted at')).toBeVisible()
})

test('18 rows are visible in a window of 1440 × 900', async ({ page }) => {
  await openRecentCalls(page, 1440, '?date=30')
  await page.setViewportSize({ width: 1440, height: 900 })
  const list = page.getByRole('region', { name: 'Recent calls' })
  await expect(list.getByRole('row')).toHaveCount(26)
  const { bottom } = await boxOf(list)
  expect((await boxOf(list.getByRole('row').nth(18))).bottom).toBeLessThanOrEqual(bottom)
})

for (const width of [390, 1440])
  test(`opening a call far down in the list scrolls it up to the header, ${width} px wide`, async ({ page }) => {
    await openCallsInside(page)
    await openRecentCalls(page, width, '?date=30')
    const list = page.getByRole('region', { name: 'Recent calls' })
    const row = list
      .locator('tr, li')
      .filter({ has: page.getByRole('button') })
      .nth(width < 640 ? 5 : 14)
    await row.getByRole('button').first().click()
    await expect(page.getByText('Attempted at')).toBeVisible()
    const listBox = await boxOf(list)
    await expect.poll(async () => (await boxOf(row)).y - listBox.y).toBeLessThan(40)
    const copyButton = await boxOf(list.getByRole('button', { name: 'Copy link' }))
    expect(copyButton.bottom).toBeLessThan(listBox.bottom)
    await page.keyboard.press('Escape')
    await expect(page.getByText('Attempted at')).toHaveCount(0)
  })

test('a card shows the account, both numbers and the SIP status of its call in two lines', async ({ page }) => {
  await openRecentCalls(page, 360, '?date=7')
  const list = page.getByRole('region', { name: 'Recent calls' })
  const card = list.getByRole('listitem').filter({ hasText: 'Willowmere Golf and Country Club' }).first()
  await expect(card.getByTitle('200')).toBeVisible()
  const numbers = card.getByText('→')
  expect(await numbers.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  expect((await boxOf(card)).height).toBeLessThan(60)
})

test('the title stays on one line when an update fails', async ({ page }) => {
  await page.clock.install()
  await openRecentCalls(page, 360, '?date=30')
  const title = heading(page, 'Recent calls')
  await expect(page.getByText(/^Total: /)).toBeVisible()
  const { height } = await boxOf(title)
  await page.route('**/RecentCalls?**', (route) => route.abort())
  await page.clock.runFor(60_000)
  await expect(page.getByText(/^Not updated since/)).toBeVisible()
  expect((await boxOf(title)).height).toBe(height)
})

for (const pageNumber of [1, 2, 50, 104, 105])
  test(`the pagination of many pages fits a narrow window, on page ${pageNumber}`, async ({ page }) => {
    await openRecentCalls(page, 360, `?date=30&page=${pageNumber}`)
    await expect(
      page.getByText(`Total: ${(olderCallCount + failureStatuses.length + 2).toLocaleString('en')} records`),
    ).toBeVisible()
    const pagination = page.getByRole('navigation', { name: 'Pagination' })
    await expect(pagination.getByRole('button', { name: `Page ${pageNumber}`, exact: true })).toBeVisible()
    expect((await boxOf(pagination)).right).toBeLessThanOrEqual(360)
    // Beside the total, not below it.
    expect((await boxOf(pagination)).y).toBeLessThan((await boxOf(page.getByText(/^Total: /))).bottom)
  })

test('the list reserves space while cards load', async ({ page }) => {
  await page.route('**/RecentCalls?**', () => undefined)
  await openRecentCalls(page, 360, '')
  const list = page.getByRole('region', { name: 'Recent calls' })
  await expect.poll(async () => (await list.locator('ul').boundingBox())?.height).toBeGreaterThan(500)
  await expect(list.getByRole('listitem')).toHaveCount(0)
})

test('the page size moves to the filters in a narrow window', async ({ page }) => {
  await openRecentCalls(page, 390, '?date=30')
  await expect(page.getByText(/^Total: /)).toBeVisible()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('combobox', { name: 'Page size' }).click()
  await page.getByRole('option', { name: '100 / page' }).click()
  await expect(page).toHaveURL(/page_size=100/)
  await expect(page.getByRole('region', { name: 'Recent calls' }).getByRole('listitem')).toHaveCount(100)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('combobox', { name: 'Page size' })).toHaveCount(1)
})

test('a right-to-left caller name is cut at its end and does not reverse the arrow', async ({ page }) => {
  await openRecentCalls(page, 1280, '?date=7')
  const name = page.getByRole('cell', { name: rightToLeftName })
  await expect(name).toHaveCSS('direction', 'rtl')
  await expect(name).toHaveCSS('text-align', 'left')
  await page.setViewportSize({ width: 600, height: 800 })
  const card = page.getByRole('region', { name: 'Recent calls' }).getByRole('link').filter({ hasText: rightToLeftName })
  const caller = await boxOf(card.getByText(rightToLeftName, { exact: true }))
  expect(caller.right).toBeLessThan((await boxOf(card.getByText('(857) 555-0100'))).x)
})

test('an unknown field with a long name does not overflow', async ({ page }) => {
  await openRecentCalls(page, 1280, '?date=7&open=call-9')
  const label = page.getByText('a_field_that_somebody_else_has_named')
  expect(await label.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})

test('the numbers of an open call stay on one line beside an open sidebar', async ({ page }) => {
  await openRecentCalls(page, 768, '?date=7&open=call-1')
  const number = page.getByRole('definition').getByText('(617) 555-0192', { exact: true })
  expect((await boxOf(number)).height).toBeLessThan(24)
  await expect(page.getByRole('definition').getByRole('button', { name: 'Copy +16175550192' })).toBeVisible()
})

test('an alert on a phone shows two lines of its message, and all its fields in full when it is open', async ({
  page,
}) => {
  const [{ account_sid } = { account_sid: '' }] = await createApiClient(server.url, server.apiKey).get<
    { account_sid: string }[]
  >('/Accounts')
  const response = await fetch(`${server.url}/write?db=alerts&precision=ms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}` },
    body: `alerts,account_sid=${account_sid},alert_type=no-tts message="nothing to say it with, because no voice of this language has been provisioned for this account or for its service provider",target_sid="${account_sid}" ${Date.now()}`,
  })
  expect(response.status).toBe(204)
  await page.setViewportSize({ width: 390, height: 800 })
  await openAs(page, server, await addUser(server, 'alma'), '/internal/alerts')
  const row = page.getByRole('button', { name: /nothing to say it with/ })
  expect((await boxOf(row.getByText(/nothing to say it with/))).height).toBe(36)
  const [type, time] = [await boxOf(row.getByText('No TTS credentials')), await boxOf(row.locator('time'))]
  expect(time.y).toBe(type.y)
  await row.click()
  const sid = page.getByRole('definition').getByText(account_sid, { exact: true })
  expect(await sid.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})

test('a printed list is complete and has no navigation', async ({ page }) => {
  await openRecentCalls(page, 1024, '?date=30')
  const row = page.getByRole('region', { name: 'Recent calls' }).getByRole('row').nth(25)
  await expect(row).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  // The printed page is longer than the window. Late content moves the row down and extends the page.
  await expect(async () => {
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(height).toBeGreaterThan(1000)
    expect((await boxOf(row)).bottom).toBeLessThan(height)
  }).toPass({ timeout: 10_000 })
})

import { createApiClient } from '../scripts/launch/api'
import { startServer, type TestServer } from '../scripts/launch/server'
import { addUser, openAs } from '../scripts/launch/users'
import { boxOf } from './support/boxes'
import { addRecordedCall } from './support/recorded-call'
import { sampleRecording, sampleSpans } from './support/sample-dialog'
import { expect, test } from './support/test'

let server: TestServer
test.beforeAll(async () => {
  server = await startServer({ ENABLE_INGEST: 'true' })
})
test.afterAll(() => server?.dispose())

test.beforeEach(async ({ page }, { workerIndex, testId }) => {
  const callSid = `c-${testId}`
  const { account } = await addRecordedCall(
    server,
    createApiClient(server.url, server.apiKey),
    callSid,
    sampleRecording,
    {
      spans: sampleSpans,
    },
  )
  const user = await addUser(server, `layout-${workerIndex}-${testId}`)
  await openAs(page, server, user, `/internal/recent-calls?account=${account}&open=${callSid}`)
})

test('an open call on a phone shows its player and five spans', async ({ page }) => {
  const player = page.getByRole('region', { name: 'Recording' })
  await expect(player.getByRole('button', { name: 'Play' })).toBeEnabled()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('tab', { name: 'Tracing' }).click()
  const spans = page.getByRole('tree', { name: 'Spans' }).getByRole('treeitem')
  await expect(spans.nth(4)).toBeVisible()
  await expect(async () => {
    const [panel, span, playerBox] = await Promise.all(
      [page.getByRole('tabpanel'), spans.nth(4), player].map(async (element) => (await element.boundingBox())!),
    )
    expect(span!.y + span!.height).toBeLessThanOrEqual(panel!.y + panel!.height + 1)
    expect(playerBox!.y + playerBox!.height).toBeLessThanOrEqual(844)
  }).toPass({ timeout: 5000 })
})

test('an open call on a phone shows the names of the speakers beside their lanes', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const speakers = page.getByRole('region', { name: 'Recording' }).getByRole('listitem')
  const [caller, callee] = [await boxOf(speakers.nth(0)), await boxOf(speakers.nth(1))]
  expect(callee.x).toBe(caller.x)
  expect(callee.y).toBe(caller.y + 25)
})

test('the tabs of an open call on a phone are aligned with the actions beside them', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const [tab, action] = [
    await boxOf(page.getByRole('tab', { name: 'Details' })),
    await boxOf(page.getByRole('button', { name: 'Copy link' })),
  ]
  expect(tab.y + tab.height / 2).toBe(action.y + action.height / 2)
})

test('the text of an event extends to the next event', async ({ page }) => {
  const eventMarks = page
    .getByRole('region', { name: 'Recording' })
    .getByRole('group', { name: 'Events' })
    .getByRole('button')
  await expect(eventMarks.first()).toBeVisible()
  const labels = await eventMarks.evaluateAll((buttons) =>
    buttons.map((button) => {
      const { left, right } = [...button.querySelectorAll('span')].at(-1)!.getBoundingClientRect()
      return { left, right, markRight: button.getBoundingClientRect().right }
    }),
  )
  expect(labels.some(({ right, markRight }) => right > markRight + 20)).toBe(true)
  const ordered = labels.toSorted((first, second) => first.left - second.left)
  ordered.slice(1).forEach(({ left }, index) => {
    const { left: previousLeft, right, markRight } = ordered[index]!
    if (left > previousLeft + 1) expect(right).toBeLessThanOrEqual(Math.max(left, markRight))
  })
})

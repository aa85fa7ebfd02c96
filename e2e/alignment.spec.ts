import type { Locator } from '@playwright/test'
import { createApiClient } from '../scripts/launch/api'
import { addSampleProvider, type SampleProvider } from '../scripts/launch/sample-provider'
import { startServer, type TestServer } from '../scripts/launch/server'
import { addUser, openAs, type TestUser } from '../scripts/launch/users'
import { boxOf } from './support/boxes'
import { writeCallRecords } from './support/call-records'
import { expect, test } from './support/test'

/** The edges and lines that elements share. */

let server: TestServer
let sample: SampleProvider
let admin: TestUser

test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startServer({ ENABLE_INGEST: 'true' })
  sample = await addSampleProvider(createApiClient(server.url, server.apiKey), { accounts: 6, numbers: 6 })
  admin = await addUser(server, 'alignment')
  const tags = `account_sid=${sample.accountSids[0]},direction=inbound,answered=true,trunk=Harbour\\ Telecom`
  await writeCallRecords(server, [
    `cdrs,${tags} call_sid="call",sip_status=200i,duration=9i,from="15125550100",to="14045550101" ${Date.now() - 1000}`,
  ])
})

test.afterAll(() => server?.dispose())

const rightOf = async (element: Locator) => Math.round((await boxOf(element)).right)
const middleOf = async (element: Locator) => {
  const { y, height } = await boxOf(element)
  return y + height / 2
}

test('a narrow panel of calls shows whole numbers below the time', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await openAs(page, server, admin, `/internal/accounts/${sample.accountSids[0]}`)
  const panel = page.getByRole('region', { name: 'Recent calls' })
  const numbers = panel.getByRole('link', { name: /→/ })
  await expect(numbers).toHaveAttribute('title', '(512) 555-0100 → (404) 555-0101')
  expect(await numbers.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  const { y, height } = await boxOf(numbers)
  expect(height).toBeLessThan(24)
  expect((await boxOf(panel.getByRole('time'))).bottom).toBeLessThanOrEqual(y)
})

test('the selection bar has one row, with its note below', async ({ page }) => {
  await openAs(page, server, admin, '/internal/phone-numbers')
  await page.setViewportSize({ width: 1440, height: 900 })
  const boxes = page.getByRole('table').getByRole('checkbox')
  for (const index of [1, 2, 3]) await boxes.nth(index).check()
  const bar = page.getByRole('group', { name: 'Selection' })
  const controls = ['Clear selection', 'Apply', 'Export', 'Delete'].map((name) => bar.getByRole('button', { name }))
  const middle = await middleOf(bar.getByText('3 selected'))
  for (const control of controls) expect(Math.abs((await middleOf(control)) - middle)).toBeLessThan(1)
  expect(await rightOf(bar.getByRole('button', { name: 'Delete' }))).toBe((await rightOf(bar)) - 24)
  const note = bar.getByText('These numbers belong to different accounts')
  expect((await boxOf(note)).y).toBeGreaterThan(middle + 16)
})

test('the form of a carrier has one right edge, and lists its first section', async ({ page }) => {
  await openAs(page, server, admin, '/internal/carriers')
  await page
    .getByRole('link', { name: /^Edit / })
    .first()
    .click()
  const getField = (name: string) => page.getByRole('textbox', { name })
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const isAligned = async () =>
      (await rightOf(getField('Carrier name'))) === (await rightOf(getField('SIP Diversion header')))
    await expect.poll(isAligned, `${width} px`).toBe(true)
  }
  const sections = page.getByRole('navigation', { name: 'Form sections' })
  await expect(sections.getByRole('link').first()).toHaveText('General')
})

test('the save bar has one line on a phone, with an error and a change', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, server, admin, `/internal/accounts/${sample.accountSids[0]}/edit`)
  await page.getByLabel('Account name').fill('')
  await page.getByLabel('Account name').blur()
  const message = page.getByRole('button', { name: '1 field needs attention' })
  await expect(message).toBeVisible()
  const middle = await middleOf(page.getByRole('button', { name: 'Save', exact: true }))
  for (const control of [message, page.getByRole('link', { name: 'Cancel' })])
    expect(Math.abs((await middleOf(control)) - middle)).toBeLessThan(1)
})

test('the columns of a list stay near each other in a wide window', async ({ page }) => {
  await page.setViewportSize({ width: 2560, height: 1300 })
  await openAs(page, server, admin, '/internal/accounts')
  const heads = page.getByRole('columnheader')
  await expect.poll(async () => Math.round((await boxOf(heads.nth(1))).width)).toBe(480)
  expect(await rightOf(page.getByRole('table'))).toBe(await rightOf(page.getByRole('region', { name: 'Accounts' })))
})

test('the list of speech services fits into narrow tables', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openAs(page, server, admin, '/internal/speech-services')
  const list = page.getByRole('region', { name: 'Speech services' })
  await expect(list.getByRole('columnheader', { name: 'Last used' })).toBeVisible()
  for (const width of [900, 1024, 1100, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(list.getByRole('columnheader', { name: 'Last used' })).toHaveCount(0)
    const overflow = () => list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    await expect.poll(overflow, `${width} px`).toBe(0)
  }
})

test('the lists of carriers and applications fit into a window of 1000 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 800 })
  await openAs(page, server, admin, '/internal/carriers')
  for (const [title, lastColumn] of [
    ['Carriers', 'Used by'],
    ['Applications', 'Calling webhook'],
  ] as const) {
    await page.getByRole('link', { name: title, exact: true }).click()
    const list = page.getByRole('region', { name: title })
    await expect(list.getByRole('columnheader', { name: lastColumn })).toBeVisible()
    const overflow = () => list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    await expect.poll(overflow, title).toBe(0)
    await expect(list.getByRole('columnheader', { name: 'Call status webhook' })).toHaveCount(0)
  }
})

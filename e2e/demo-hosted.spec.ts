import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { findFreePort } from '../scripts/launch/server'
import { signIn } from '../scripts/launch/users'
import { startDemo } from './support/demo'
import { heading } from './support/screen'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-demo-hosted-'))
const script = 'demo/run-hosted.ts'
let demoProcess: ChildProcess | undefined

test.afterAll(() => {
  demoProcess?.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

/** Sends no request of a page to another machine, and lists the hosts of those that were tried. */
const blockOtherHosts = async (page: Page) => {
  const hosts = new Set<string>()
  await page.route(
    (url) => url.hostname !== '127.0.0.1',
    (route) => {
      hosts.add(new URL(route.request().url()).hostname)
      return route.abort()
    },
  )
  return hosts
}

const planBox = (page: Page) => page.getByRole('region', { name: 'Plan' })

const statesByUser: Record<string, (page: Page) => Promise<void>> = {
  trial: (page) => expect(planBox(page).getByText('Trial ends')).toBeVisible(),
  expired: (page) => expect(page.getByText('Your free trial has expired. Please upgrade...')).toBeVisible(),
  free: (page) => expect(planBox(page).getByText('Free', { exact: true })).toBeVisible(),
  paid: (page) => expect(planBox(page).getByText('$138.00')).toBeVisible(),
  leaving: (page) => expect(planBox(page).getByText(/^Ends /)).toBeVisible(),
  pending: (page) => expect(planBox(page).getByText('Change pending')).toBeVisible(),
  suspended: (page) => expect(planBox(page).getByText('Suspended', { exact: true })).toBeVisible(),
}

test('the demo of the hosted edition shows each state of a plan, on this machine alone', async ({ page }) => {
  test.setTimeout(240_000)
  const otherHosts = await blockOtherHosts(page)
  const port = await findFreePort()
  const { child, exited, output } = startDemo({ DATA_DIR: join(folder, 'demo'), PORT: String(port) }, script)
  demoProcess = child
  await expect.poll(output, { timeout: 180_000 }).toContain('This is a demonstration of the hosted edition.')
  const password = /with the password (\S+)/.exec(output())?.[1] ?? ''
  const url = `http://127.0.0.1:${port}`

  await page.goto(url)
  await expect(page.getByText('Demonstration: no card is charged, and no mail is sent.')).toBeVisible()
  await signIn(page, 'provider', password)
  await expect(heading(page, 'Accounts')).toBeVisible()
  const tabs = page.getByRole('navigation', { name: 'Plan' })
  for (const name of [/^Paid [1-9]/, /^Trial [1-9]/, /^Trial expired [1-9]/, /^Free [1-9]/, /^Suspended 1$/])
    await expect(tabs.getByRole('link', { name })).toBeVisible()
  await expect(page.getByText(/^Monthly total of paid accounts \$/)).toBeVisible()
  await page.goto(`${url}/internal/settings/plans`)
  await expect(page.getByRole('cell', { name: '$12.00 per session' })).toBeVisible()
  await expect(page.getByRole('cell', { name: '$10.00 in total' })).toBeVisible()

  for (const [name, expectState] of Object.entries(statesByUser)) {
    await page.evaluate(() => localStorage.clear())
    await page.goto(url)
    await signIn(page, `${name}@mv.example`, password)
    await expectState(page)
  }
  expect([...otherHosts]).toEqual([])
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('the demo of the hosted edition does not delete other files', async () => {
  const otherFolder = join(folder, 'other')
  mkdirSync(otherFolder)
  writeFileSync(join(otherFolder, 'notes.txt'), 'my notes')
  const { exited, output } = startDemo({ DATA_DIR: otherFolder }, script)
  expect(await exited).toBe(1)
  expect(output()).toContain('contains other files. Set DATA_DIR to an empty folder.')
  expect(readdirSync(otherFolder)).toEqual(['notes.txt'])
})

import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { createApiClient } from '../scripts/launch/api'
import { startDemo } from './support/demo'
import { signIn } from '../scripts/launch/users'
import { heading } from './support/screen'
import { findFreePort } from '../scripts/launch/server'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-demo-'))
const dataFolder = join(folder, 'demo')
let demoProcess: ChildProcess | undefined

const runDemo = (settings: Record<string, string>) => {
  const demo = startDemo(settings)
  demoProcess = demo.child
  return demo
}

test.afterAll(() => {
  demoProcess?.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

test('the demo shows a month of calls of one provider', async ({ page }) => {
  test.setTimeout(180_000)
  // A first start that was killed leaves this.
  mkdirSync(join(dataFolder, 'demo-incomplete'), { recursive: true })
  writeFileSync(join(dataFolder, 'demo-incomplete', 'trunkline.sqlite'), 'half a database')
  const port = await findFreePort()
  const { child, exited, output } = runDemo({ DATA_DIR: dataFolder, PORT: String(port) })
  await expect.poll(output, { timeout: 150_000 }).toContain(`ready at http://127.0.0.1:${port}`)
  const password = /with the password (\S+)/.exec(output())?.[1] ?? ''

  await page.goto(`http://127.0.0.1:${port}`)
  await signIn(page, 'admin', password)
  await expect(heading(page, 'Accounts')).toBeVisible()
  await page.goto(`http://127.0.0.1:${port}/internal/recent-calls?date=30`)
  const total = page.getByText(/^Total: [\d,]+ records$/)
  await expect(total).toBeVisible()
  expect(Number((await total.textContent())?.replace(/\D/g, ''))).toBeGreaterThan(3000)
  await page.goto(`http://127.0.0.1:${port}/internal/recent-calls?date=7&status=answered`)
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await expect(page.getByRole('tab', { name: 'Tracing' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download pcap' })).toBeVisible()
  await page.goto(`http://127.0.0.1:${port}/internal/alerts?date=7`)
  await expect(page.getByText('outbound call failure: Bluewater SIP answers 503').first()).toBeVisible()

  const api = createApiClient(
    `http://127.0.0.1:${port}`,
    (await page.evaluate(() => localStorage.getItem('token'))) ?? '',
  )
  type Row = Record<string, unknown>
  const accounts = await api.get<Row[]>('/Accounts')
  const inactiveSids = accounts.filter(({ is_active }) => is_active === 0).map(({ account_sid }) => account_sid)
  expect(inactiveSids.length).toBeGreaterThan(0)
  for (const sid of inactiveSids)
    expect(await api.get(`/Accounts/${String(sid)}/RecentCalls?page=1&count=25&days=30`)).toMatchObject({ total: 0 })
  // Each webhook belongs to one account, that of its application.
  const { data: groups } = await api.get<{ data: { message: string; accounts: number }[] }>(
    `/ServiceProviders/${String(accounts[0]?.service_provider_sid)}/AlertGroups?page=1&count=100&days=30`,
  )
  const webhookGroups = groups.filter(({ message }) => message.includes('https://'))
  expect(webhookGroups.map(({ accounts: count }) => count)).toEqual(webhookGroups.map(() => 1))
  expect(webhookGroups.length).toBeGreaterThan(1)
  const responses = JSON.stringify([await api.get('/Users'), await api.get('/Applications')])
  expect(responses).not.toMatch(/foo\.bar|jambonz/)
  expect(responses).toContain('admin@mv.example')

  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  expect(existsSync(join(dataFolder, 'demo.json'))).toBe(true)
  expect(existsSync(join(dataFolder, 'demo-incomplete'))).toBe(false)
})

test('a second start adds no data, and prints the password again', async () => {
  const { password } = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')) as { password: string }
  const port = await findFreePort()
  const { child, exited, output } = runDemo({ DATA_DIR: dataFolder, PORT: String(port) })
  await expect.poll(output, { timeout: 60_000 }).toContain(`ready at http://127.0.0.1:${port}`)
  expect(output()).toContain(password)
  expect(output()).not.toContain('Accounts, carriers')
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('an interrupted first start leaves an empty folder', async () => {
  const interruptedFolder = join(folder, 'interrupted')
  const { child, exited, output } = runDemo({ DATA_DIR: interruptedFolder })
  await expect.poll(output, { timeout: 60_000 }).toContain('Creating accounts')
  child.kill('SIGINT')
  expect(await exited).toBe(130)
  expect(output()).toContain('Interrupted')
  expect(readdirSync(interruptedFolder)).toEqual([])
})

test('the demo refuses a folder with other files, and does not change them', async () => {
  const otherFolder = join(folder, 'other')
  mkdirSync(otherFolder)
  writeFileSync(join(otherFolder, 'notes.txt'), 'my notes')
  const { exited, output } = runDemo({ DATA_DIR: otherFolder })
  expect(await exited).toBe(1)
  expect(output()).toContain('contains other files. Set DATA_DIR to an empty folder.')
  expect(readdirSync(otherFolder)).toEqual(['notes.txt'])
})

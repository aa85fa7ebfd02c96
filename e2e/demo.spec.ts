import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { createApiClient } from '../scripts/launch/api'
import { startDemo } from './support/demo'
import { signIn } from '../scripts/launch/users'
import { heading } from './support/screen'
import { freePort } from '../scripts/launch/server'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-demo-'))
const path = join(folder, 'demo')
let running: ChildProcess | undefined

const demo = (settings: Record<string, string>) => {
  const started = startDemo(settings)
  running = started.child
  return started
}

test.afterAll(() => {
  running?.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

test('the demo shows a month of calls of one provider', async ({ page }) => {
  test.setTimeout(180_000)
  const port = await freePort()
  const { child, exited, output } = demo({ DATA_DIR: path, PORT: String(port) })
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
  await page.getByRole('row').nth(1).getByRole('button').first().click()
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
  const inactive = accounts.filter(({ is_active }) => is_active === 0).map(({ account_sid }) => account_sid)
  expect(inactive.length).toBeGreaterThan(0)
  for (const sid of inactive)
    expect(await api.get(`/Accounts/${String(sid)}/RecentCalls?page=1&count=25&days=30`)).toMatchObject({ total: 0 })
  // Each webhook belongs to one account, that of its application.
  const { data: groups } = await api.get<{ data: { message: string; accounts: number }[] }>(
    `/ServiceProviders/${String(accounts[0]?.service_provider_sid)}/AlertGroups?page=1&count=100&days=30`,
  )
  const ofWebhooks = groups.filter(({ message }) => message.includes('https://'))
  expect(ofWebhooks.map(({ accounts: count }) => count)).toEqual(ofWebhooks.map(() => 1))
  expect(ofWebhooks.length).toBeGreaterThan(1)
  const shown = JSON.stringify([await api.get('/Users'), await api.get('/Applications')])
  expect(shown).not.toMatch(/foo\.bar|jambonz/)
  expect(shown).toContain('admin@mv.example')

  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  expect(existsSync(join(path, 'demo.json'))).toBe(true)
})

test('a second start adds no data, and prints the password again', async () => {
  const { password } = JSON.parse(readFileSync(join(path, 'demo.json'), 'utf8')) as { password: string }
  const port = await freePort()
  const { child, exited, output } = demo({ DATA_DIR: path, PORT: String(port) })
  await expect.poll(output, { timeout: 60_000 }).toContain(`ready at http://127.0.0.1:${port}`)
  expect(output()).toContain(password)
  expect(output()).not.toContain('Accounts, carriers')
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('the demo refuses a folder with another platform', async () => {
  writeFileSync(`${folder}/trunkline.sqlite`, 'a platform')
  const { exited, output } = demo({ DATA_DIR: folder })
  expect(await exited).toBe(1)
  expect(output()).toContain('already holds a platform')
  expect(readFileSync(`${folder}/trunkline.sqlite`, 'utf8')).toBe('a platform')
})

import { createServer, type Server } from 'node:net'
import { startServer, type TestServer } from '../scripts/launch/server'
import { addUser, openAs, type TestUser } from '../scripts/launch/users'
import { messages } from '../contract/src/messages/system-health'
import { findAxeViolations } from './support/axe'
import { waitUntilIdle } from './support/navigation'
import { heading } from './support/screen'
import { expect, test } from './support/test'

/** System health, on a server with a Jaeger that does not work. */

const path = '/internal/system-health'
let server: TestServer
let admin: TestUser
/** Accepts connections and closes them at once. */
let brokenJaeger: Server

test.beforeAll(async () => {
  brokenJaeger = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => brokenJaeger.listen(0, '127.0.0.1', resolve))
  const { port } = brokenJaeger.address() as { port: number }
  server = await startServer({ JAEGER_URL: `http://127.0.0.1:${port}` })
  admin = await addUser(server, 'ada')
})
test.afterAll(async () => {
  await server?.dispose()
  brokenJaeger?.close()
})

test('shows what fails and how to repair it, and checks again', async ({ page }) => {
  await openAs(page, server, admin)
  await page.getByRole('link', { name: 'System health' }).click()
  await expect(heading(page, 'System health')).toBeVisible()
  const jaeger = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Jaeger' }) })
  await expect(jaeger.getByText('Failed')).toBeVisible()
  await expect(jaeger.getByText('Check JAEGER_URL, and that Jaeger is running.')).toBeVisible()
  await expect(page.getByText(messages.problems(1, 0))).toBeVisible()
  const response = page.waitForResponse((candidate) => candidate.url().endsWith('/SystemHealth'))
  await page.getByRole('button', { name: 'Check again' }).click()
  expect((await response).status()).toBe(200)
})

for (const scheme of ['light', 'dark'] as const)
  for (const width of [1440, 390])
    test.describe(`${scheme}, ${width} px wide`, () => {
      test.use({ colorScheme: scheme, viewport: { width, height: width === 390 ? 844 : 900 } })

      test('has no axe violations and no sideways overflow', async ({ page }) => {
        await openAs(page, server, admin, path)
        await expect(page.getByRole('heading', { name: 'Tables' })).toBeVisible()
        await waitUntilIdle(page)
        expect(await findAxeViolations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      })
    })

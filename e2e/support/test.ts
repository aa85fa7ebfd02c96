import { test as base } from '@playwright/test'
import { apiOf, type Api } from '../../scripts/launch/api'
import { addPerson, type Person } from '../../scripts/launch/users'
import { startServer, type TestServer } from '../../scripts/launch/server'

interface Shared {
  /** Tests with another `world` get their own platform, because they change data that other tests read. */
  world: string
  /** A server with an empty database, shared by the tests of one worker. */
  platform: TestServer
  /** The server's API, as administrator. */
  api: Api
  /** An administrator without a forced password change. */
  admin: Person
}

/** `page` uses the platform's base URL, and fails the test on uncaught errors. */
export const test = base.extend<object, Shared>({
  world: ['shared', { scope: 'worker', option: true }],
  platform: [
    // Playwright reads the required fixtures from this parameter: none.
    async ({}, use) => {
      // The tests' buckets listen on loopback.
      const server = await startServer({ BUCKET_PRIVATE_TARGETS: 'true' })
      await use(server)
      await server.dispose()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  api: [async ({ platform }, use) => use(apiOf(platform.url, platform.apiKey)), { scope: 'worker' }],
  admin: [async ({ platform }, use) => use(await addPerson(platform, 'ada')), { scope: 'worker' }],
  baseURL: async ({ platform }, use) => use(platform.url),
  page: async ({ page }, use) => {
    const thrown: Error[] = []
    page.on('pageerror', (error) => thrown.push(error))
    await use(page)
    if (thrown.length) throw new Error(`The page threw: ${thrown.map(({ message }) => message).join('; ')}`)
  },
})

export { expect } from '@playwright/test'

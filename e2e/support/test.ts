import { test as base } from '@playwright/test'
import { createApiClient, type ApiClient } from '../../scripts/launch/api'
import { addUser, type TestUser } from '../../scripts/launch/users'
import { startServer, type TestServer } from '../../scripts/launch/server'

interface WorkerFixtures {
  /** Tests with another `world` get their own platform, because they change data that other tests read. */
  world: string
  /** A server with an empty database, shared by the tests of one worker. */
  platform: TestServer
  /** The server's API, as administrator. */
  api: ApiClient
  /** An administrator without a forced password change. */
  admin: TestUser
}

/** `page` uses the platform's base URL, and fails the test on uncaught errors. */
export const test = base.extend<object, WorkerFixtures>({
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
  api: [async ({ platform }, use) => use(createApiClient(platform.url, platform.apiKey)), { scope: 'worker' }],
  admin: [async ({ platform }, use) => use(await addUser(platform, 'ada')), { scope: 'worker' }],
  baseURL: async ({ platform }, use) => use(platform.url),
  page: async ({ page }, use) => {
    const pageErrors: Error[] = []
    page.on('pageerror', (error) => pageErrors.push(error))
    await use(page)
    if (pageErrors.length) throw new Error(`The page threw: ${pageErrors.map(({ message }) => message).join('; ')}`)
  },
})

export { expect } from '@playwright/test'

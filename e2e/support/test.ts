import { test as base } from '@playwright/test'
import { createApiClient, type ApiClient } from '../../scripts/launch/api'
import { addUser, type TestUser } from '../../scripts/launch/users'
import { startServer, type TestServer } from '../../scripts/launch/server'

interface WorkerFixtures {
  /** Tests with another `serverName` get their own server, because they change data that other tests read. */
  serverName: string
  /** A server with an empty database, shared by the tests of one worker. */
  server: TestServer
  /** The server's API, as administrator. */
  api: ApiClient
  /** An administrator without a forced password change. */
  admin: TestUser
}

/** `page` uses the server's base URL, and fails the test on uncaught errors. */
export const test = base.extend<object, WorkerFixtures>({
  serverName: ['shared', { scope: 'worker', option: true }],
  server: [
    // Playwright reads the required fixtures from this parameter: none.
    async ({}, use) => {
      // The tests' buckets listen on loopback.
      const testServer = await startServer({ BUCKET_PRIVATE_TARGETS: 'true' })
      await use(testServer)
      await testServer.dispose()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  api: [async ({ server }, use) => use(createApiClient(server.url, server.apiKey)), { scope: 'worker' }],
  admin: [async ({ server }, use) => use(await addUser(server, 'ada')), { scope: 'worker' }],
  baseURL: async ({ server }, use) => use(server.url),
  page: async ({ page }, use) => {
    const pageErrors: Error[] = []
    page.on('pageerror', (error) => pageErrors.push(error))
    await use(page)
    if (pageErrors.length) throw new Error(`The page threw: ${pageErrors.map(({ message }) => message).join('; ')}`)
  },
})

export { expect } from '@playwright/test'

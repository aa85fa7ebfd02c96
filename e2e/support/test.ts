import { test as base } from '@playwright/test'
import { apiOf, type Api } from '../../scripts/launch/api'
import { addPerson, type Person } from '../../scripts/launch/users'
import { startServer, type TestServer } from '../../scripts/launch/server'

interface Shared {
  /** Tests that name another world have a platform of their own: those that change what others look at. */
  world: string
  /** A server with an empty database, shared by the tests of one worker. */
  platform: TestServer
  /** Its API, for an administrator. */
  api: Api
  /** An administrator who has chosen a password already. */
  admin: Person
}

/** `page` is at the platform's address and may not throw. */
export const test = base.extend<object, Shared>({
  world: ['shared', { scope: 'worker', option: true }],
  platform: [
    // Playwright reads from the parameter's form which fixtures this one needs: none.
    async ({}, use) => {
      // Buckets of the tests listen on loopback.
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

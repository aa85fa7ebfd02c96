import { test as base } from '@playwright/test'
import { startServer, type TestServer } from './server'

/** `platform`: a server with an empty database, shared by the tests of one worker. `page` is at its address and may not throw. */
export const test = base.extend<object, { platform: TestServer }>({
  platform: [
    // Playwright reads from the parameter's form which fixtures this one needs: none.
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.dispose()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ platform }, use) => use(platform.url),
  page: async ({ page }, use) => {
    const thrown: Error[] = []
    page.on('pageerror', (error) => thrown.push(error))
    await use(page)
    if (thrown.length) throw new Error(`The page threw: ${thrown.map(({ message }) => message).join('; ')}`)
  },
})

export { expect } from '@playwright/test'

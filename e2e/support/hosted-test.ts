import type { Page } from '@playwright/test'
import { startHostedServer, type HostedServer, type RegisteredAccount } from './hosted-server'
import { test as base } from './test'

interface HostedFixtures {
  /** Further environment variables of the server. */
  hostedSettings: Record<string, string>
  /** A server with the hosted edition, shared by the tests of one worker. `server`, `api` and `admin` belong to it. */
  hosted: HostedServer
}

/** Tests of the hosted edition. A file that changes `hostedSettings` gets its own server. */
export const test = base.extend<object, HostedFixtures>({
  hostedSettings: [{}, { scope: 'worker', option: true }],
  hosted: [
    async ({ hostedSettings }, use) => {
      const hostedServer = await startHostedServer(hostedSettings)
      await use(hostedServer)
      await hostedServer.dispose()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  server: [async ({ hosted }, use) => use(hosted), { scope: 'worker' }],
})

/** Opens a page as the user of an account, without the sign-in page. */
export const openAs = async (page: Page, { token }: Pick<RegisteredAccount, 'token'>, path: string) => {
  await page.addInitScript((value) => {
    if (!sessionStorage.getItem('test-signed-in')) localStorage.setItem('token', value)
    sessionStorage.setItem('test-signed-in', 'yes')
  }, token)
  await page.goto(path)
}

export const accountPath = ({ account_sid }: Pick<RegisteredAccount, 'account_sid'>, page = 'edit') =>
  `/internal/accounts/${account_sid}/${page}`

export { expect } from './test'

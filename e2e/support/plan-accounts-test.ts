import { findDefaultProviderSid } from '../../scripts/launch/api'
import { startStripeDouble } from '../../scripts/launch/stripe-double/server'
import { addUser, type TestUser } from '../../scripts/launch/users'
import { test as base } from './billing-test'
import { addPlanAccounts, getStartSeconds, type PlanAccounts } from './hosted-accounts'

interface PlanFixtures {
  /** An account in each state of a plan. */
  accounts: PlanAccounts
  /** A user of the service provider that the accounts belong to. */
  provider: TestUser
}

/** Tests with an account in each state of a plan. */
export const test = base.extend<object, PlanFixtures>({
  stripe: [
    async ({}, use) => {
      const stripe = await startStripeDouble({ startSeconds: getStartSeconds() })
      await use(stripe)
      await stripe.close()
    },
    { scope: 'worker' },
  ],
  accounts: [
    // the events of the double must reach the server
    async ({ hosted, stripe, webhook: _ }, use) => use(await addPlanAccounts(hosted, stripe)),
    { scope: 'worker', timeout: 90_000 },
  ],
  provider: [
    async ({ hosted, api }, use) =>
      use(await addUser(hosted, 'provider', { service_provider_sid: await findDefaultProviderSid(api) })),
    { scope: 'worker' },
  ],
})

export { expect } from './test'

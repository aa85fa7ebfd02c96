import type { Page } from '@playwright/test'
import { startStripeDouble, type StripeDouble } from '../../scripts/launch/stripe-double/server'
import type { RegisteredAccount } from './hosted-server'
import { test as base } from './hosted-test'

const webhookSecret = 'whsec_browser_tests'

/** Cards of docs.stripe.com/testing. */
export const testCards = {
  accepted: '4242424242424242',
  refused: '4000000000000002',
  /** Can be saved, but not charged. */
  refusedLater: '4000000000000341',
  needsConfirmation: '4000002500003155',
}

interface BillingFixtures {
  /** The double of Stripe that the server uses. */
  stripe: StripeDouble
  /** Sends the double's events to the server. */
  webhook: undefined
}

/** Tests of plans and payment: the server uses a double of Stripe, and the browser a stand-in for Stripe.js. */
export const test = base.extend<object, BillingFixtures>({
  stripe: [
    async ({}, use) => {
      const stripe = await startStripeDouble()
      await use(stripe)
      await stripe.close()
    },
    { scope: 'worker' },
  ],
  hostedSettings: [
    async ({ stripe }, use) =>
      use({
        STRIPE_API_KEY: 'sk_test_browser',
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_PUBLISHABLE_KEY: 'pk_test_browser',
        STRIPE_API_URL: stripe.url,
        STRIPE_JS_URL: stripe.standInUrl,
      }),
    { scope: 'worker' },
  ],
  webhook: [
    async ({ stripe, hosted }, use) => {
      stripe.webhooks.setTarget({ url: `${hosted.url}/stripe/webhook`, secret: webhookSecret })
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
})

/** Fills the fields that the payment provider draws. */
export const enterCard = async (page: Page, number: string) => {
  await page.getByLabel('Credit or debit card number').fill(number)
  await page.getByLabel('Credit or debit card expiration date').fill('08 / 30')
  await page.getByLabel('Credit or debit card CVC/CVV').fill('123')
}

/** Requests as the user of an account. */
const send = async (url: string, { token }: RegisteredAccount, method: string, path: string, body?: object) => {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json() as Promise<unknown>
}

/** Starts the paid plan of an account through the API. */
export const upgradeAccount = async (
  url: string,
  account: RegisteredAccount,
  { sessions = 10, devices = 20, paymentMethod = 'pm_card_visa' } = {},
) => {
  const products = (await send(url, account, 'GET', '/Prices')) as {
    category: string
    product_sid: string
    prices: { stripe_price_id: string }[]
  }[]
  return send(url, account, 'POST', '/Subscriptions', {
    action: 'upgrade-to-paid',
    payment_method_id: paymentMethod,
    products: products.map(({ category, product_sid, prices }) => ({
      price_id: prices[0]!.stripe_price_id,
      product_sid,
      quantity: category === 'device' ? devices : sessions,
    })),
  })
}

/** Reads the user with the plan and the subscription. */
export const readMe = (url: string, account: RegisteredAccount) =>
  send(url, account, 'GET', '/Users/me') as Promise<{
    account: { plan_type: string }
    subscription: { status: string; products: { name: string; quantity: number }[]; last4?: string; ends_at?: string }
  }>

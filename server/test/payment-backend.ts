import { createStripePayment } from '../src/adapters/payment/stripe'
import type { DatabaseEngine } from '../src/db/database'
import type { Mail } from '../src/ports/mail'
import { createInitialSubscription } from '../src/resources/plans/public'
import type { PriceDraft } from '../../scripts/launch/stripe-double/price-list'
import { startStripeDouble, type StripeDouble } from '../../scripts/launch/stripe-double/server'
import { createApiClient, fetchToken, type ApiClient } from './api-client'
import { startBackend, type Backend } from './backend'
import { hostedEdition } from './hosted-edition'
import { DoubleHttpClient } from './stripe-client'

export const webhookSecret = 'whsec_test'

/** A backend of the hosted edition with the double of Stripe. */
export interface PaymentBackend extends Backend {
  double: StripeDouble
  /** A user of the account acme, whose plan is a trial. */
  client: ApiClient
  account_sid: string
  /** The products of a request, at the offered prices. */
  buildProducts: (sessions: number, devices: number) => object[]
  /** Starts the paid plan. */
  upgrade: (sessions: number, devices: number, card?: string) => ReturnType<ApiClient>
  readAccount: () => Promise<{ plan_type: string; is_active: number; stripe_customer_id: string | null }>
  /** The rows of the account's subscriptions, oldest first, with their quantities. */
  readRows: () => Promise<SubscriptionRow[]>
  close: () => Promise<void>
}

export interface SubscriptionRow {
  pending: number
  hasEnded: boolean
  change_reason: string | null
  pending_reason: string | null
  stripe_subscription_id: string | null
  sessions: number
  devices: number
}

export interface PaymentBackendOptions {
  databaseEngine?: DatabaseEngine
  prices?: readonly PriceDraft[]
  startSeconds?: number
  /** Whether requests to the double use the network. */
  usesNetwork?: boolean
  mail?: Mail
}

const readRows = async ({ db }: Backend['database'], account_sid: string): Promise<SubscriptionRow[]> => {
  const rows = await db
    .selectFrom('account_subscriptions')
    .selectAll()
    .where('account_sid', '=', account_sid)
    .orderBy('effective_end_date')
    .orderBy('effective_start_date')
    .execute()
  const quantities = await db
    .selectFrom('account_products as a')
    .innerJoin('products as p', 'p.product_sid', 'a.product_sid')
    .select(['a.account_subscription_sid', 'a.quantity', 'p.category'])
    .execute()
  return rows
    .map((row) => {
      const quantityOf = (category: string) =>
        quantities.find(
          (product) =>
            product.category === category && product.account_subscription_sid === row.account_subscription_sid,
        )?.quantity ?? 0
      return {
        pending: row.pending,
        hasEnded: row.effective_end_date !== null,
        change_reason: row.change_reason,
        pending_reason: row.pending_reason?.toString() ?? null,
        stripe_subscription_id: row.stripe_subscription_id,
        sessions: quantityOf('voice_call_session'),
        devices: quantityOf('device'),
      }
    })
    .sort((first, second) => Number(second.hasEnded) - Number(first.hasEnded))
}

export const startPaymentBackend = async ({
  databaseEngine = 'sqlite',
  prices,
  startSeconds,
  usesNetwork = true,
  mail,
}: PaymentBackendOptions = {}): Promise<PaymentBackend> => {
  const double = await startStripeDouble({
    ...(prices ? { prices } : {}),
    ...(startSeconds === undefined ? {} : { startSeconds }),
  })
  const stripe = { apiKey: 'sk_test_double', webhookSecret, apiUrl: double.url }
  const payment = createStripePayment({
    ...stripe,
    ...(usesNetwork ? {} : { httpClient: new DoubleHttpClient(double.handle) }),
  })
  const backend = await startBackend({
    databaseEngine,
    config: { hostedEdition: { ...hostedEdition, stripe } },
    externalServices: { payment, ...(mail ? { mail } : {}) },
  })
  const { db } = backend.database
  const account_sid = backend.testData.acme.account
  await createInitialSubscription(db, { account_sid, kind: 'trial', trialCallSessions: 5 })
  const products = await db.selectFrom('products').selectAll().execute()
  const client = createApiClient(backend.app, await fetchToken(backend.app, 'acme'))
  const buildProducts = (sessions: number, devices: number) =>
    (['voice_call_session', 'device'] as const).map((category, index) => ({
      price_id: double.prices[index]!.id,
      product_sid: products.find((product) => product.category === category)!.product_sid,
      quantity: [sessions, devices][index]!,
    }))
  return {
    ...backend,
    double,
    client,
    account_sid,
    buildProducts,
    upgrade: (sessions, devices, card = 'pm_card_visa') =>
      client('POST', '/Subscriptions', {
        action: 'upgrade-to-paid',
        payment_method_id: card,
        products: buildProducts(sessions, devices),
      }),
    readAccount: () =>
      db
        .selectFrom('accounts')
        .select(['plan_type', 'is_active', 'stripe_customer_id'])
        .where('account_sid', '=', account_sid)
        .executeTakeFirstOrThrow(),
    readRows: () => readRows(backend.database, account_sid),
    close: async () => {
      await backend.close()
      await double.close()
    },
  }
}

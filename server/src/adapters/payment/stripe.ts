import Stripe from 'stripe'
import {
  InvalidSignatureError,
  type PaymentEvent,
  type PaymentProvider,
  type SubscriptionLine,
} from '../../ports/payment'
import { requestIfPresent, requestStripe } from './stripe-errors'
import { subscriptionExpansions, toListedProduct, toPaidSubscription, toPlainObject } from './stripe-objects'

export interface StripeOptions {
  apiKey: string
  webhookSecret: string
  apiUrl: string
  /** Sends the requests; over the network by default. */
  httpClient?: Stripe.HttpClient
}

/** A charge waits for the customer's bank. */
const timeoutMs = 20_000
const maxNetworkRetries = 2
/** How many objects of a list are read at most. */
const maxListed = 1000
const pageSize = 100

/** Existing installations configure the key with the colon of basic authentication. */
const toApiKey = (setting: string) => setting.replace(/:$/, '')

const connect = ({ apiKey, apiUrl, httpClient }: StripeOptions): Stripe => {
  const { hostname, port, protocol } = new URL(apiUrl)
  return new Stripe(toApiKey(apiKey), {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port ? { port } : {}),
    maxNetworkRetries,
    timeout: timeoutMs,
    telemetry: false,
    ...(httpClient ? { httpClient } : {}),
  })
}

/** An idempotency key for one request of a step. */
const withKey = (key: string, request: string) => ({ idempotencyKey: `${key}-${request}` })

const productActions = (stripe: Stripe): Pick<PaymentProvider, 'listProducts'> => ({
  listProducts: () =>
    requestStripe(async () => {
      const [products, prices] = await Promise.all([
        stripe.products.list({ active: true, limit: pageSize }).autoPagingToArray({ limit: maxListed }),
        stripe.prices
          .list({ active: true, limit: pageSize, expand: ['data.tiers'] })
          .autoPagingToArray({ limit: maxListed }),
      ])
      return products.map((product) => toListedProduct(product, prices))
    }),
})

const customerActions = (
  stripe: Stripe,
): Pick<
  PaymentProvider,
  'hasCustomer' | 'createCustomer' | 'removeCustomer' | 'attachCard' | 'detachCard' | 'payOpenInvoices'
> => ({
  async hasCustomer(customerId) {
    const customer = await requestIfPresent(() => stripe.customers.retrieve(customerId))
    return customer !== undefined && !customer.deleted
  },

  async createCustomer({ account_sid, name, email }, key) {
    const draft = { name, ...(email ? { email } : {}), metadata: { account_sid } }
    return (await requestStripe(() => stripe.customers.create(draft, withKey(key, 'customer')))).id
  },

  async removeCustomer(customerId, key) {
    await requestIfPresent(() => stripe.customers.del(customerId, {}, withKey(key, 'remove')))
  },

  attachCard: (customerId, paymentMethodId, key) =>
    requestStripe(async () => {
      const method = await stripe.paymentMethods.attach(
        paymentMethodId,
        { customer: customerId },
        withKey(key, 'attach'),
      )
      const settings = { invoice_settings: { default_payment_method: method.id } }
      await stripe.customers.update(customerId, settings, withKey(key, 'default'))
      return method.id
    }),

  async detachCard(paymentMethodId, key) {
    await requestIfPresent(() => stripe.paymentMethods.detach(paymentMethodId, {}, withKey(key, 'detach')))
  },

  async payOpenInvoices(customerId, key) {
    const invoices = await requestStripe(() =>
      stripe.invoices.list({ customer: customerId, status: 'open', limit: pageSize }),
    )
    let areAllPaid = true
    for (const invoice of invoices.data) {
      const isPaid = await requestStripe(() => payInvoice(stripe, invoice.id, key))
      areAllPaid &&= isPaid
    }
    return areAllPaid
  },
})

/** Charges the card for an invoice. Returns whether it is paid. */
const payInvoice = async (stripe: Stripe, invoiceId: string, key: string): Promise<boolean> => {
  try {
    return (await stripe.invoices.pay(invoiceId, {}, withKey(key, `pay-${invoiceId}`))).status === 'paid'
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) return false
    // The invoice was paid or canceled in the meantime.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    return (await stripe.invoices.retrieve(invoiceId)).status !== 'open'
  }
}

/** The new quantities for the items of a subscription. */
const toItemChanges = async (stripe: Stripe, subscriptionId: string, lines: readonly SubscriptionLine[]) => {
  const { items } = await stripe.subscriptions.retrieve(subscriptionId)
  return lines.map(({ product_sid, priceId, quantity }) => {
    const item = items.data.find(({ metadata }) => metadata.product_sid === product_sid)
    return item ? { id: item.id, price: priceId, quantity } : { price: priceId, quantity, metadata: { product_sid } }
  })
}

/** Cancels the open invoices of a subscription. A change that waits for one of them is dropped. */
const voidOpenInvoices = async (stripe: Stripe, subscription: string, key: string): Promise<void> => {
  const invoices = await requestStripe(() => stripe.invoices.list({ subscription, status: 'open', limit: pageSize }))
  for (const { id } of invoices.data)
    await requestIfPresent(() => stripe.invoices.voidInvoice(id, {}, withKey(key, `void-${id}`)))
}

const changeActions = (
  stripe: Stripe,
): Pick<
  PaymentProvider,
  'createSubscription' | 'changeQuantities' | 'dropPendingChange' | 'setCard' | 'setEndsWithPeriod' | 'endSubscription'
> => ({
  async createSubscription({ customerId, account_sid, account_subscription_sid, paymentMethodId, lines }, key) {
    const draft: Stripe.SubscriptionCreateParams = {
      customer: customerId,
      default_payment_method: paymentMethodId,
      items: lines.map(({ product_sid, priceId, quantity }) => ({
        price: priceId,
        quantity,
        metadata: { product_sid },
      })),
      metadata: { account_sid, account_subscription_sid },
      payment_behavior: 'allow_incomplete',
      payment_settings: { payment_method_types: ['card'] },
    }
    return (await requestStripe(() => stripe.subscriptions.create(draft, withKey(key, 'subscription')))).id
  },

  async changeQuantities(subscriptionId, lines, key) {
    await requestStripe(async () => {
      const items = await toItemChanges(stripe, subscriptionId, lines)
      // A change that waits for its payment cannot set metadata, which a new item needs.
      const canWait = items.every((item) => !('metadata' in item))
      const payment_behavior = canWait ? 'pending_if_incomplete' : 'error_if_incomplete'
      const changes = { items, proration_behavior: 'always_invoice', payment_behavior } as const
      await stripe.subscriptions.update(subscriptionId, changes, withKey(key, 'quantities'))
    })
  },

  dropPendingChange: (subscriptionId, key) => voidOpenInvoices(stripe, subscriptionId, key),

  async setCard(subscriptionId, paymentMethodId, key) {
    const changes = { default_payment_method: paymentMethodId }
    await requestStripe(() => stripe.subscriptions.update(subscriptionId, changes, withKey(key, 'card')))
  },

  async setEndsWithPeriod(subscriptionId, endsWithPeriod, key) {
    const changes = { cancel_at_period_end: endsWithPeriod }
    await requestStripe(() => stripe.subscriptions.update(subscriptionId, changes, withKey(key, 'end')))
  },

  async endSubscription(subscriptionId, key) {
    await requestIfPresent(() => stripe.subscriptions.cancel(subscriptionId, {}, withKey(key, 'cancel')))
    // Stripe keeps its invoices open, and a new card would pay them.
    await voidOpenInvoices(stripe, subscriptionId, key)
  },
})

const readActions = (
  stripe: Stripe,
): Pick<
  PaymentProvider,
  'readSubscription' | 'findSubscription' | 'describeSubscription' | 'describeNextInvoice' | 'previewNextInvoice'
> => {
  const readNextInvoice = (subscription: string) =>
    requestIfPresent(() => stripe.invoices.createPreview({ subscription }))
  return {
    async readSubscription(subscriptionId) {
      const subscription = await requestIfPresent(() =>
        stripe.subscriptions.retrieve(subscriptionId, { expand: subscriptionExpansions }),
      )
      return subscription ? toPaidSubscription(subscription) : undefined
    },

    async findSubscription(customerId, account_subscription_sid) {
      const list = { customer: customerId, status: 'all' as const, limit: pageSize }
      const subscriptions = await requestIfPresent(() =>
        stripe.subscriptions.list(list).autoPagingToArray({ limit: maxListed }),
      )
      return subscriptions?.find(({ metadata }) => metadata.account_subscription_sid === account_subscription_sid)?.id
    },

    async describeSubscription(subscriptionId) {
      const subscription = await requestIfPresent(() => stripe.subscriptions.retrieve(subscriptionId))
      return subscription ? toPlainObject(subscription) : undefined
    },

    async describeNextInvoice(subscriptionId) {
      const invoice = await readNextInvoice(subscriptionId)
      return invoice ? toPlainObject(invoice) : undefined
    },

    async previewNextInvoice(subscriptionId) {
      const invoice = await readNextInvoice(subscriptionId)
      return invoice ? { total: invoice.total, currency: invoice.currency } : undefined
    },
  }
}

const previewActions = (stripe: Stripe): Pick<PaymentProvider, 'previewChange' | 'previewSubscription'> => ({
  previewChange: (subscription, lines) =>
    requestStripe(async () => {
      const items = await toItemChanges(stripe, subscription, lines)
      const { total, currency } = await stripe.invoices.createPreview({
        subscription,
        subscription_details: { items, proration_behavior: 'always_invoice' },
      })
      return { total, currency }
    }),

  previewSubscription: (lines) =>
    requestStripe(async () => {
      const items = lines.map(({ priceId, quantity }) => ({ price: priceId, quantity }))
      const { total, currency } = await stripe.invoices.createPreview({ subscription_details: { items } })
      return { total, currency }
    }),
})

interface EventObject {
  id?: string
  object?: string
  customer?: unknown
  parent?: { subscription_details?: { subscription?: unknown } | null } | null
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** What an event is about. */
const toPaymentEvent = ({ id, type, data }: Stripe.Event): PaymentEvent => {
  const object = data.object as EventObject
  const customerId = object.object === 'customer' ? object.id : textOf(object.customer)
  const subscriptionId =
    object.object === 'subscription' ? object.id : textOf(object.parent?.subscription_details?.subscription)
  return { id, type, ...(customerId ? { customerId } : {}), ...(subscriptionId ? { subscriptionId } : {}) }
}

/** Sells subscriptions with Stripe. */
export const createStripePayment = (options: StripeOptions): PaymentProvider => {
  const stripe = connect(options)
  return {
    ...productActions(stripe),
    ...customerActions(stripe),
    ...changeActions(stripe),
    ...readActions(stripe),
    ...previewActions(stripe),

    readEvent(payload, signature) {
      try {
        return toPaymentEvent(stripe.webhooks.constructEvent(payload, signature, options.webhookSecret))
      } catch (error) {
        throw new InvalidSignatureError('invalid signature', { cause: error })
      }
    },
  }
}

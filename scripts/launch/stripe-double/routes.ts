import { behaviorOf, describeCard, findTestCardNumber } from './cards'
import { costOf, type ItemChanges } from './costs'
import { cardDeclined, declined, invalidRequest, missingObject, noNextInvoice } from './errors'
import { listParam, objectParam, textParam, textRecord, type Params } from './form'
import type { Emit } from './invoices'
import type { Customer, Invoice, PaymentMethod, Subscription } from './objects'
import type { Store } from './store'
import type { SubscriptionDraft, Subscriptions } from './subscriptions'

/** A request to the double: the parts of the path that the route leaves open, and the parameters. */
export interface DoubleRequest {
  ids: string[]
  params: Params
}

export type Handler = (request: DoubleRequest) => unknown

const requireObject = <Type>(objects: ReadonlyMap<string, Type>, kind: string, id: string): Type => {
  const stored = objects.get(id)
  if (stored === undefined) throw missingObject(kind, id)
  return stored
}

const list = (data: unknown[], url: string) => ({ object: 'list', data, has_more: false, url })

const textOrNull = (params: Params, name: string) => textParam(params, name) || null

/** Whether an object has every value that the filters of a list name. */
const matches = (filters: Record<string, string | undefined>) => (object: object) =>
  Object.entries(filters).every(
    ([name, value]) => value === undefined || String((object as Record<string, unknown>)[name]) === value,
  )

const customerRoutes = (store: Store, emit: Emit): Record<string, Handler> => {
  const changeCustomer = (customer: Customer, params: Params) => {
    for (const name of ['email', 'name'] as const)
      if (textParam(params, name) !== undefined) customer[name] = textOrNull(params, name)
    customer.metadata = { ...customer.metadata, ...textRecord(objectParam(params, 'metadata')) }
    const settings = objectParam(params, 'invoice_settings')
    if (settings && textParam(settings, 'default_payment_method') !== undefined)
      customer.invoice_settings = { default_payment_method: textOrNull(settings, 'default_payment_method') }
    return customer
  }
  return {
    'POST /v1/customers': ({ params }) => {
      const customer: Customer = {
        id: store.createId('cus'),
        object: 'customer',
        created: store.now(),
        email: null,
        name: null,
        metadata: {},
        balance: 0,
        invoice_settings: { default_payment_method: null },
      }
      store.customers.set(customer.id, customer)
      changeCustomer(customer, params)
      emit('customer.created', customer)
      return customer
    },
    'GET /v1/customers/:id': ({ ids }) => requireObject(store.customers, 'customer', ids[0]!),
    'POST /v1/customers/:id': ({ ids, params }) =>
      changeCustomer(requireObject(store.customers, 'customer', ids[0]!), params),
    'GET /v1/customers/:id/payment_methods': ({ ids }) =>
      list(
        [...store.paymentMethods.values()].filter(({ customer }) => customer === ids[0]),
        `/v1/customers/${ids[0]}/payment_methods`,
      ),
  }
}

const removeCustomerRoute = (store: Store, subscriptions: Subscriptions, emit: Emit): Record<string, Handler> => ({
  'DELETE /v1/customers/:id': ({ ids }) => {
    const customer = requireObject(store.customers, 'customer', ids[0]!)
    for (const subscription of store.subscriptions.values())
      if (subscription.customer === customer.id && subscription.status !== 'canceled')
        subscriptions.cancel(subscription)
    store.customers.delete(customer.id)
    emit('customer.deleted', customer)
    return { id: customer.id, object: 'customer', deleted: true }
  },
})

const paymentMethodRoutes = (store: Store): Record<string, Handler> => {
  const addCard = (id: string, number: string, expiry: { exp_month: number; exp_year: number }): PaymentMethod => {
    const method: PaymentMethod = {
      id,
      object: 'payment_method',
      created: store.now(),
      type: 'card',
      customer: null,
      card: describeCard(number, expiry),
    }
    store.paymentMethods.set(id, method)
    store.cardNumbers.set(id, number)
    return method
  }

  /** A stored card, or a new one from the name of a test card. */
  const findOrAddCard = (id: string): PaymentMethod => {
    const number = findTestCardNumber(id)
    return number
      ? addCard(store.createId('pm'), number, { exp_month: 8, exp_year: 2030 })
      : requireObject(store.paymentMethods, 'PaymentMethod', id)
  }

  return {
    'POST /v1/payment_methods': ({ params }) => {
      const card = objectParam(params, 'card') ?? {}
      const number = (textParam(card, 'number') ?? '').replace(/\s/g, '')
      if (!/^\d{12,19}$/.test(number)) throw invalidRequest('Your card number is incorrect.', 'number')
      const expiry = { exp_month: Number(textParam(card, 'exp_month')), exp_year: Number(textParam(card, 'exp_year')) }
      return addCard(store.createId('pm'), number, expiry)
    },
    'GET /v1/payment_methods/:id': ({ ids }) => requireObject(store.paymentMethods, 'PaymentMethod', ids[0]!),
    'POST /v1/payment_methods/:id/attach': ({ ids, params }) => {
      const customer = requireObject(store.customers, 'customer', textParam(params, 'customer') ?? '')
      const method = findOrAddCard(ids[0]!)
      if (behaviorOf(store.cardNumbers.get(method.id)!).attach === 'declined') throw cardDeclined(declined)
      method.customer = customer.id
      return method
    },
    'POST /v1/payment_methods/:id/detach': ({ ids }) => {
      const method = requireObject(store.paymentMethods, 'PaymentMethod', ids[0]!)
      const customer = method.customer ? store.customers.get(method.customer) : undefined
      if (customer?.invoice_settings.default_payment_method === method.id)
        customer.invoice_settings.default_payment_method = null
      return Object.assign(method, { customer: null })
    },
  }
}

const priceRoutes = (store: Store): Record<string, Handler> => ({
  'GET /v1/products': ({ params }) =>
    list([...store.products.values()].filter(matches({ active: textParam(params, 'active') })), '/v1/products'),
  'GET /v1/products/:id': ({ ids }) => requireObject(store.products, 'product', ids[0]!),
  'GET /v1/prices': ({ params }) =>
    list(
      [...store.prices.values()].filter(
        matches({ active: textParam(params, 'active'), product: textParam(params, 'product') }),
      ),
      '/v1/prices',
    ),
  'GET /v1/prices/:id': ({ ids }) => requireObject(store.prices, 'price', ids[0]!),
})

/** The changes in the `items` parameter, by item. */
const itemChangesOf = (store: Store, params: Params): ItemChanges =>
  new Map(
    listParam(params, 'items').map((item) => {
      const fields = item as Params
      const price = textParam(fields, 'price')
      const quantity = textParam(fields, 'quantity')
      return [
        textParam(fields, 'id') ?? '',
        {
          ...(quantity === undefined ? {} : { quantity: Number(quantity) }),
          ...(price === undefined ? {} : { price: requireObject(store.prices, 'price', price) }),
        },
      ]
    }),
  )

/** The total of a subscription that does not exist. */
const previewNewSubscription = (store: Store, params: Params) => {
  const items = listParam(params, 'items').map((item) => {
    const fields = item as Params
    const price = requireObject(store.prices, 'price', textParam(fields, 'price') ?? '')
    return { price, amount: costOf(price, Number(textParam(fields, 'quantity') ?? 1)) }
  })
  const total = items.reduce((sum, { amount }) => sum + amount, 0)
  return { id: 'upcoming_in_double', object: 'invoice', currency: items[0]?.price.currency ?? null, total }
}

const draftOf = (params: Params): SubscriptionDraft => ({
  customer: textParam(params, 'customer') ?? '',
  items: listParam(params, 'items').map((item) => {
    const fields = item as Params
    return {
      price: textParam(fields, 'price') ?? '',
      quantity: Number(textParam(fields, 'quantity') ?? 1),
      metadata: textRecord(objectParam(fields, 'metadata')),
    }
  }),
  metadata: textRecord(objectParam(params, 'metadata')),
  default_payment_method: textOrNull(params, 'default_payment_method'),
})

const subscriptionRoutes = (store: Store, subscriptions: Subscriptions): Record<string, Handler> => {
  const findSubscription = (id: string) => requireObject(store.subscriptions, 'subscription', id)
  return {
    'POST /v1/subscriptions': ({ params }) => subscriptions.create(draftOf(params)),
    'GET /v1/subscriptions': ({ params }) => {
      const status = textParam(params, 'status')
      const isListed = ({ status: ownStatus }: Subscription) =>
        status === undefined ? ownStatus !== 'canceled' : status === 'all' || ownStatus === status
      return list(
        [...store.subscriptions.values()].filter(isListed).filter(matches({ customer: textParam(params, 'customer') })),
        '/v1/subscriptions',
      )
    },
    'GET /v1/subscriptions/:id': ({ ids }) => findSubscription(ids[0]!),
    'POST /v1/subscriptions/:id': ({ ids, params }) => {
      const subscription = findSubscription(ids[0]!)
      const cancels = textParam(params, 'cancel_at_period_end')
      const defaultPaymentMethod = textParam(params, 'default_payment_method')
      const metadata = objectParam(params, 'metadata')
      subscriptions.update(subscription, {
        items: itemChangesOf(store, params),
        ...(cancels === undefined ? {} : { cancelAtPeriodEnd: cancels === 'true' }),
        ...(defaultPaymentMethod === undefined ? {} : { defaultPaymentMethod }),
        ...(metadata ? { metadata: textRecord(metadata) } : {}),
        invoicesAtOnce: textParam(params, 'proration_behavior') === 'always_invoice',
        waitsForPayment: textParam(params, 'payment_behavior') === 'pending_if_incomplete',
      })
      return subscription
    },
    'DELETE /v1/subscriptions/:id': ({ ids }) => {
      const subscription = findSubscription(ids[0]!)
      if (subscription.status === 'canceled') throw missingObject('subscription', subscription.id)
      subscriptions.cancel(subscription)
      return subscription
    },
  }
}

const invoiceRoutes = (store: Store, subscriptions: Subscriptions): Record<string, Handler> => {
  const { invoicing } = subscriptions
  const subscriptionOf = (invoice: Invoice) => invoice.parent.subscription_details.subscription
  return {
    'GET /v1/invoices': ({ params }) => {
      const isListed = matches({ customer: textParam(params, 'customer'), status: textParam(params, 'status') })
      const subscription = textParam(params, 'subscription')
      const data = [...store.invoices.values()]
        .filter(isListed)
        .filter((invoice) => subscription === undefined || subscriptionOf(invoice) === subscription)
      return list(data.reverse(), '/v1/invoices')
    },
    'POST /v1/invoices/create_preview': ({ params }) => {
      const details = objectParam(params, 'subscription_details')
      const id = textParam(params, 'subscription')
      if (id === undefined) return previewNewSubscription(store, details ?? {})
      const subscription = requireObject(store.subscriptions, 'subscription', id)
      if (subscription.status === 'canceled' || (subscription.cancel_at_period_end && !details)) throw noNextInvoice
      const lines = subscriptions.previewLines(subscription, details ? itemChangesOf(store, details) : undefined)
      const preview = invoicing.buildInvoice({ subscription, reason: 'upcoming', lines }, 'upcoming_in_double')
      return { ...preview, next_payment_attempt: subscription.items.data[0]!.current_period_end }
    },
    'GET /v1/invoices/:id': ({ ids }) => requireObject(store.invoices, 'invoice', ids[0]!),
    'POST /v1/invoices/:id/void': ({ ids }) => {
      const invoice = requireObject(store.invoices, 'invoice', ids[0]!)
      if (invoice.status !== 'open') throw invalidRequest(`Invoice is already ${invoice.status}`)
      subscriptions.voidInvoice(invoice)
      return invoice
    },
    'POST /v1/invoices/:id/pay': ({ ids }) => {
      const invoice = requireObject(store.invoices, 'invoice', ids[0]!)
      if (invoice.status !== 'open') throw invalidRequest(`Invoice is already ${invoice.status}`)
      invoicing.pay(invoice)
      return invoice
    },
    'GET /v1/payment_intents/:id': ({ ids }) => requireObject(store.paymentIntents, 'payment_intent', ids[0]!),
    // `confirmed=false` is the double's own parameter: the customer refuses the payment in the bank's dialog.
    'POST /v1/payment_intents/:id/confirm': ({ ids, params }) => {
      const intent = requireObject(store.paymentIntents, 'payment_intent', ids[0]!)
      if (textParam(params, 'client_secret') !== intent.client_secret)
        throw invalidRequest('The client_secret provided does not match any associated PaymentIntent.')
      invoicing.confirm(intent, textParam(params, 'confirmed') !== 'false')
      if (intent.last_payment_error) throw cardDeclined(intent.last_payment_error)
      return intent
    },
  }
}

/** One clock for all objects. Stripe has a clock per group of customers. */
const testClockRoutes = (store: Store, subscriptions: Subscriptions): Record<string, Handler> => {
  const clockId = 'clock_double'
  const describe = () => ({
    id: clockId,
    object: 'test_helpers.test_clock',
    frozen_time: store.now(),
    status: 'ready',
  })
  const readTime = (params: Params) => {
    const seconds = Number(textParam(params, 'frozen_time'))
    if (!Number.isInteger(seconds) || seconds < store.now())
      throw invalidRequest('frozen_time must be a later Unix timestamp.', 'frozen_time')
    return seconds
  }
  const advance: Handler = ({ params }) => {
    subscriptions.advanceTo(readTime(params))
    return describe()
  }
  return {
    'POST /v1/test_helpers/test_clocks': advance,
    'POST /v1/test_helpers/test_clocks/:id/advance': advance,
    'GET /v1/test_helpers/test_clocks/:id': describe,
  }
}

/** All routes of the double, by method and path. */
export const createRoutes = (store: Store, subscriptions: Subscriptions, emit: Emit): Record<string, Handler> => ({
  ...customerRoutes(store, emit),
  ...removeCustomerRoute(store, subscriptions, emit),
  ...paymentMethodRoutes(store),
  ...priceRoutes(store),
  ...subscriptionRoutes(store, subscriptions),
  ...invoiceRoutes(store, subscriptions),
  ...testClockRoutes(store, subscriptions),
  'GET /v1/events': () => list([...store.events].reverse(), '/v1/events'),
})

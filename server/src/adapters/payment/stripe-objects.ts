import type Stripe from 'stripe'
import { billedCategories, type BilledCategory } from '@trunkline/contract/billing/capacity'
import type {
  Card,
  InvoicePayment,
  ListedPrice,
  ListedProduct,
  PaidInvoice,
  PaidSubscription,
  SubscriptionLine,
} from '../../ports/payment'

/** The fields that `toPaidSubscription` needs expanded. */
export const subscriptionExpansions = [
  'default_payment_method',
  'latest_invoice.confirmation_secret',
  'latest_invoice.payments.data.payment.payment_intent',
]

/** An object without the SDK's classes and additions, such as decimals and response headers. */
export const toPlainObject = (object: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(object)) as Record<string, unknown>

const fromSeconds = (seconds: number) => new Date(seconds * 1000)

/** Undefined if the reference is empty or not expanded. */
const expanded = <T extends object>(reference: string | T | null | undefined): T | undefined =>
  typeof reference === 'object' && reference !== null ? reference : undefined

const toCategory = ({ metadata }: Stripe.Product): BilledCategory | undefined =>
  metadata.availability === 'general'
    ? billedCategories.find((category) => category === metadata.jambonz_category)
    : undefined

const textOrNull = (value: { toString(): string } | null) => (value === null ? null : value.toString())

const toListedPrice = (price: Stripe.Price): ListedPrice => ({
  stripe_price_id: price.id,
  billing_scheme: price.billing_scheme,
  currency: price.currency,
  recurring: price.recurring,
  tiers_mode: price.tiers_mode,
  tiers:
    price.tiers?.map((tier) => ({
      up_to: tier.up_to,
      flat_amount: tier.flat_amount,
      flat_amount_decimal: textOrNull(tier.flat_amount_decimal),
      unit_amount: tier.unit_amount,
      unit_amount_decimal: textOrNull(tier.unit_amount_decimal),
    })) ?? null,
  transform_quantity: price.transform_quantity ?? null,
  type: price.type,
  unit_amount: price.unit_amount,
  unit_amount_decimal: textOrNull(price.unit_amount_decimal),
})

export const toListedProduct = (product: Stripe.Product, prices: readonly Stripe.Price[]): ListedProduct => {
  const generalCategory = toCategory(product)
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    unitLabel: product.unit_label ?? null,
    ...(generalCategory ? { generalCategory } : {}),
    createdAt: product.created,
    prices: prices.filter((price) => price.product === product.id).map(toListedPrice),
  }
}

const toCard = ({ id, card }: Stripe.PaymentMethod): Card | undefined =>
  card
    ? { paymentMethodId: id, brand: card.brand, last4: card.last4, exp_month: card.exp_month, exp_year: card.exp_year }
    : undefined

const toLines = (items: readonly Stripe.SubscriptionItem[]): SubscriptionLine[] =>
  items.map(({ metadata, price, quantity }) => ({
    product_sid: metadata.product_sid ?? '',
    priceId: price.id,
    quantity: quantity ?? 0,
  }))

/** The items of a waiting change lack the metadata of the subscription's items. */
const toPendingLines = ({ items, pending_update }: Stripe.Subscription): SubscriptionLine[] | undefined =>
  pending_update?.subscription_items?.map(({ id, price, quantity }) => ({
    product_sid: items.data.find((item) => item.id === id)?.metadata.product_sid ?? '',
    priceId: price.id,
    quantity: quantity ?? 0,
  }))

const findIntent = ({ payments }: Stripe.Invoice) => expanded(payments?.data[0]?.payment.payment_intent)

const toPayment = (invoice: Stripe.Invoice): InvoicePayment => {
  if (invoice.status === 'paid') return { state: 'succeeded' }
  const intent = findIntent(invoice)
  const clientSecret = invoice.confirmation_secret?.client_secret
  if (intent?.status === 'requires_action' && clientSecret) return { state: 'needs confirmation', clientSecret }
  const reason = intent?.last_payment_error?.message
  return { state: 'refused', ...(clientSecret ? { clientSecret } : {}), ...(reason ? { reason } : {}) }
}

const toPaidInvoice = (invoice: Stripe.Invoice): PaidInvoice => ({
  isFirst: invoice.billing_reason === 'subscription_create',
  isOpen: invoice.status === 'open',
  total: invoice.total,
  currency: invoice.currency,
  amountPaid: invoice.amount_paid,
  createdAt: fromSeconds(invoice.created),
  statementDescriptor: invoice.statement_descriptor,
  payment: toPayment(invoice),
})

const statuses: Record<string, PaidSubscription['status']> = {
  incomplete: 'incomplete',
  active: 'active',
  trialing: 'active',
  canceled: 'ended',
  incomplete_expired: 'ended',
}

export const toPaidSubscription = (subscription: Stripe.Subscription): PaidSubscription => {
  const { metadata, items, cancel_at } = subscription
  const pendingLines = toPendingLines(subscription)
  const method = expanded(subscription.default_payment_method)
  const card = method ? toCard(method) : undefined
  const invoice = expanded(subscription.latest_invoice)
  return {
    id: subscription.id,
    ...(metadata.account_subscription_sid ? { accountSubscriptionSid: metadata.account_subscription_sid } : {}),
    // past_due, unpaid, paused and statuses that Stripe may add.
    status: statuses[subscription.status] ?? 'overdue',
    lines: toLines(items.data),
    ...(pendingLines ? { pendingLines } : {}),
    currency: subscription.currency,
    periodEnd: fromSeconds(Math.max(...items.data.map(({ current_period_end }) => current_period_end))),
    ...(cancel_at ? { endsAt: fromSeconds(cancel_at) } : {}),
    ...(card ? { card } : {}),
    ...(invoice ? { latestInvoice: toPaidInvoice(invoice) } : {}),
  }
}

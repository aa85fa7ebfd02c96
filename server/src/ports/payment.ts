import type { BilledCategory } from '@trunkline/contract/billing/capacity'
import type { ProductPrice } from '@trunkline/contract/shapes/subscription'

/** A price, as the API describes it. Amounts are in the currency's minor units. */
export type ListedPrice = ProductPrice['prices'][number]

/** A product of the payment provider. */
export interface ListedProduct {
  id: string
  name: string
  description: string | null
  unitLabel: string | null
  /** Absent if the product is not for everybody: it can only be offered to single accounts. */
  generalCategory?: BilledCategory
  /** Unix seconds. */
  createdAt: number
  prices: ListedPrice[]
}

/** A product in a subscription. */
export interface SubscriptionLine {
  product_sid: string
  priceId: string
  quantity: number
}

export interface Card {
  paymentMethodId: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
}

/** A sum of money in minor units. */
export interface Money {
  total: number
  currency: string
}

/** The payment of an invoice. */
export type InvoicePayment =
  | { state: 'succeeded' }
  /** The customer must confirm the payment with the bank. */
  | { state: 'needs confirmation'; clientSecret: string }
  | { state: 'refused'; clientSecret?: string; reason?: string }

export interface PaidInvoice extends Money {
  /** Whether it is the invoice that starts the subscription. */
  isFirst: boolean
  isOpen: boolean
  /** What was paid, in minor units. */
  amountPaid: number
  createdAt: Date
  statementDescriptor: string | null
  payment: InvoicePayment
}

/** A subscription at the payment provider, as it is now. */
export interface PaidSubscription {
  id: string
  /** The row of the first plan that this subscription paid. */
  accountSubscriptionSid?: string
  /** incomplete: the first payment is missing. overdue: a renewal is not paid. ended: nothing can start it again. */
  status: 'incomplete' | 'active' | 'overdue' | 'ended'
  lines: SubscriptionLine[]
  /** A change that waits for its payment. */
  pendingLines?: SubscriptionLine[]
  currency: string
  /** The end of the period that is paid. */
  periodEnd: Date
  /** If the subscription ends then. */
  endsAt?: Date
  card?: Card
  latestInvoice?: PaidInvoice
}

export interface CustomerDraft {
  account_sid: string
  name: string
  email: string | null
}

export interface SubscriptionDraft {
  customerId: string
  account_sid: string
  account_subscription_sid: string
  paymentMethodId: string
  lines: SubscriptionLine[]
}

/** A message of the payment provider about a change. Its content may be old: read what it is about. */
export interface PaymentEvent {
  id: string
  type: string
  customerId?: string
  subscriptionId?: string
}

/** The card was declined. `body` is the provider's error response. */
export class CardDeclinedError extends Error {
  override readonly name = 'CardDeclinedError'

  constructor(
    message: string,
    readonly body: object,
  ) {
    super(message)
  }
}

/** The provider refuses the request. The same request would be refused again. */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError'
}

/** The signature of an event is missing, wrong or too old. */
export class InvalidSignatureError extends Error {
  override readonly name = 'InvalidSignatureError'
}

/**
 * Sells subscriptions. Every write has an idempotency key: a repeated request with the same key and content has no further
 * effect and gets the same response. Throws UnavailableError if the outcome is unknown.
 */
export interface PaymentProvider {
  /** All active products with their active prices. */
  listProducts(): Promise<ListedProduct[]>

  hasCustomer(customerId: string): Promise<boolean>
  createCustomer(draft: CustomerDraft, key: string): Promise<string>
  /** Deletes a customer and ends the subscriptions. Does nothing if there is no such customer. */
  removeCustomer(customerId: string, key: string): Promise<void>

  /** Gives a customer a card, makes it the default and returns its ID. Throws CardDeclinedError. */
  attachCard(customerId: string, paymentMethodId: string, key: string): Promise<string>
  /** Does nothing if there is no such card. */
  detachCard(paymentMethodId: string, key: string): Promise<void>

  /** Starts a subscription and charges its first period. A declined card leaves the subscription incomplete. */
  createSubscription(draft: SubscriptionDraft, key: string): Promise<string>
  /** Changes quantities at once and charges the difference. If the charge fails, the change waits for its payment. */
  changeQuantities(subscriptionId: string, lines: SubscriptionLine[], key: string): Promise<void>
  /** Drops a change that waits for its payment. */
  dropPendingChange(subscriptionId: string, key: string): Promise<void>
  setCard(subscriptionId: string, paymentMethodId: string, key: string): Promise<void>
  setEndsWithPeriod(subscriptionId: string, endsWithPeriod: boolean, key: string): Promise<void>
  /** Ends a subscription at once, and cancels its open invoices. Does nothing if it has ended. */
  endSubscription(subscriptionId: string, key: string): Promise<void>
  /** Charges the open invoices. Returns whether all are paid. */
  payOpenInvoices(customerId: string, key: string): Promise<boolean>

  readSubscription(subscriptionId: string): Promise<PaidSubscription | undefined>
  /** The subscription that was created for a row, if any. */
  findSubscription(customerId: string, account_subscription_sid: string): Promise<string | undefined>
  /** What the next invoice of a subscription charges, if there is one. */
  previewNextInvoice(subscriptionId: string): Promise<Money | undefined>
  /** What a change of quantities charges at once. Negative: a credit. */
  previewChange(subscriptionId: string, lines: SubscriptionLine[]): Promise<Money>
  /** What a new subscription charges at once. */
  previewSubscription(lines: SubscriptionLine[]): Promise<Money>

  /** The provider's own objects, for existing clients. */
  describeSubscription(subscriptionId: string): Promise<Record<string, unknown> | undefined>
  describeNextInvoice(subscriptionId: string): Promise<Record<string, unknown> | undefined>

  /** Checks the signature of an event. Throws InvalidSignatureError. */
  readEvent(payload: Buffer, signature: string): PaymentEvent
}

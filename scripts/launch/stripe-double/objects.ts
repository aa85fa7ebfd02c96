// The objects of Stripe's API that the double knows, with the fields that a billing integration reads. The fields and
// their types are checked against the types of the `stripe` package.
import type Stripe from 'stripe'

type Fields<Type, Name extends keyof Type> = { [Key in Name]-?: Type[Key] }

export type Customer = Fields<Stripe.Customer, 'id' | 'created' | 'email' | 'name' | 'metadata'> & {
  object: 'customer'
  /** Negative: a credit for the next invoice. Minor units. */
  balance: number
  invoice_settings: { default_payment_method: string | null }
}

export type PaymentMethod = Fields<Stripe.PaymentMethod, 'id' | 'created' | 'type'> & {
  object: 'payment_method'
  customer: string | null
  card: { brand: string; last4: string; exp_month: number; exp_year: number }
}

export type Product = Fields<
  Stripe.Product,
  'id' | 'active' | 'created' | 'name' | 'description' | 'metadata' | 'unit_label'
> & { object: 'product' }

export interface Tier {
  up_to: number | null
  flat_amount: number | null
  flat_amount_decimal: string | null
  unit_amount: number | null
  unit_amount_decimal: string | null
}

export type Price = Fields<Stripe.Price, 'id' | 'active' | 'created' | 'currency' | 'metadata' | 'unit_amount'> & {
  object: 'price'
  product: string
  billing_scheme: 'per_unit' | 'tiered'
  tiers_mode: 'volume' | 'graduated' | null
  /** Only returned if it is expanded. */
  tiers: Tier[] | null
  type: 'recurring'
  recurring: { interval: 'month'; interval_count: 1; usage_type: 'licensed' }
  unit_amount_decimal: string | null
}

export type SubscriptionItem = Fields<
  Stripe.SubscriptionItem,
  'id' | 'created' | 'current_period_end' | 'current_period_start' | 'metadata'
> & { object: 'subscription_item'; price: Price; quantity: number; subscription: string }

export type Subscription = Fields<
  Stripe.Subscription,
  | 'id'
  | 'billing_cycle_anchor'
  | 'cancel_at'
  | 'cancel_at_period_end'
  | 'canceled_at'
  | 'created'
  | 'currency'
  | 'ended_at'
  | 'metadata'
  | 'start_date'
> & {
  object: 'subscription'
  customer: string
  default_payment_method: string | null
  latest_invoice: string | null
  status: 'active' | 'canceled' | 'incomplete' | 'incomplete_expired' | 'past_due' | 'unpaid'
  items: { object: 'list'; data: SubscriptionItem[]; has_more: false; url: string }
  pending_update: { expires_at: number; subscription_items: SubscriptionItem[] } | null
}

export interface InvoiceLine {
  id: string
  object: 'line_item'
  /** Minor units. */
  amount: number
  currency: string
  description: string
  quantity: number
  period: { start: number; end: number }
}

export type Invoice = Fields<
  Stripe.Invoice,
  | 'id'
  | 'amount_due'
  | 'amount_paid'
  | 'amount_remaining'
  | 'attempt_count'
  | 'attempted'
  | 'created'
  | 'currency'
  | 'next_payment_attempt'
  | 'period_end'
  | 'period_start'
  | 'statement_descriptor'
  | 'subtotal'
  | 'total'
> & {
  object: 'invoice'
  customer: string
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming'
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  lines: { object: 'list'; data: InvoiceLine[]; has_more: false; url: string }
  parent: {
    type: 'subscription_details'
    quote_details: null
    subscription_details: { subscription: string; metadata: Record<string, string> }
  }
  /** Only returned if it is expanded. */
  payments: { object: 'list'; data: InvoicePayment[]; has_more: false; url: string }
  /** Only returned if it is expanded. */
  confirmation_secret: { client_secret: string; type: 'payment_intent' } | null
}

export interface InvoicePayment {
  id: string
  object: 'invoice_payment'
  invoice: string
  amount_requested: number
  currency: string
  is_default: true
  status: 'open' | 'paid' | 'canceled'
  payment: { type: 'payment_intent'; payment_intent: string }
}

export interface CardError {
  type: 'card_error'
  code: string
  decline_code?: string
  message: string
}

export type PaymentIntent = Fields<Stripe.PaymentIntent, 'id' | 'amount' | 'created' | 'currency'> & {
  object: 'payment_intent'
  client_secret: string
  customer: string
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
  payment_method: string | null
  next_action: { type: 'use_stripe_sdk' } | null
  last_payment_error: CardError | null
  /** The invoice that this payment pays. The double's own field; never returned. */
  invoiceId: string
}

export interface Event {
  id: string
  object: 'event'
  api_version: string
  created: number
  type: string
  data: { object: unknown }
  pending_webhooks: number
}

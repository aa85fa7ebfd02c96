import * as z from 'zod'
import { planStates } from '../billing/plan-state'
import { timestampInput } from '../kit/fields'

const priceTierSchema = z.looseObject({
  up_to: z.number().nullable(),
  flat_amount: z.number().nullable(),
  unit_amount: z.number().nullable(),
})

const priceSchema = z.looseObject({
  stripe_price_id: z.string(),
  billing_scheme: z.string(),
  currency: z.string(),
  recurring: z.unknown(),
  tiers_mode: z.string().nullable(),
  tiers: z.array(priceTierSchema).nullish(),
  type: z.string(),
  /** In the currency's minor units. */
  unit_amount: z.number().nullable(),
  unit_amount_decimal: z.string().nullable(),
})

/** A product with its prices. Amounts are in the currency's minor units. */
export const productPriceSchema = z.object({
  product_sid: z.string(),
  name: z.string(),
  category: z.string(),
  stripe_product_id: z.string(),
  description: z.string().nullable(),
  unit_label: z.string().nullable(),
  prices: z.array(priceSchema),
  /** A Trunkline addition, for providers and administrators: the prices that are not sold, and why. */
  refused_prices: z
    .array(z.object({ stripe_price_id: z.string(), currency: z.string(), reason: z.string() }))
    .optional(),
})

export const stripeCustomerSchema = z.object({ stripe_customer_id: z.string() })

export const subscriptionActions = [
  'upgrade-to-paid',
  'update-payment-method',
  'update-quantities',
  'downgrade-to-free',
  /** A Trunkline addition: cancels a scheduled downgrade. */
  'keep-paid-plan',
] as const

/** The route checks the fields itself, because each action requires others and has its own messages. */
export const subscriptionChangeSchema = z.looseObject({
  action: z.unknown().optional(),
  payment_method_id: z.unknown().optional(),
  products: z.unknown().optional(),
  dry_run: z.unknown().optional(),
  /** Sent by existing clients; ignored. */
  stripe_customer_id: z.unknown().optional(),
})

/** The result of a change of the subscription. `status` decides which other fields are present. */
export const subscriptionResultSchema = z.object({
  /** success, action required, card error, failed, or failed to pay outstanding invoices. Absent for a dry run. */
  status: z.string().optional(),
  /** For failed: `payment required`. For a card error: the text of the payment provider. */
  reason: z.string().optional(),
  subscription: z.string().optional(),
  /** Confirms the payment in the browser (action required). */
  client_secret: z.string().optional(),
  /** Minor units; after an upgrade. */
  chargedAmount: z.number().optional(),
  statementDescriptor: z.string().optional(),
  currency: z.string().optional(),
  /** Minor units; only for a dry run. Negative: a credit on the next invoice. */
  prorated_cost: z.number().optional(),
  /** Minor units; only for a dry run. */
  monthly_cost: z.number().optional(),
  /** Such as `Tue Jan 01 2030`; only for a dry run. */
  next_invoice_date: z.string().optional(),
  /** A Trunkline addition: when a scheduled downgrade takes effect, ISO 8601. */
  effective_date: z.string().optional(),
})

/** The upcoming invoice, as Stripe describes it. */
export const invoiceSchema = z.looseObject({
  currency: z.string(),
  /** Minor units. */
  total: z.number(),
  /** Unix seconds. */
  next_payment_attempt: z.number().nullable(),
})

const subscriptionProductSchema = z.object({
  name: z.string(),
  units: z.string().optional(),
  quantity: z.number(),
})

const unpaidInvoiceSchema = z.object({ total: z.number(), currency: z.string(), created_at: z.string() })

/** The subscription in the hosted form of `GET /Users/me`. */
export const currentSubscriptionSchema = z.object({
  status: z.enum(['active', 'suspended']),
  suspend_reason: z.string().optional(),
  account_subscription_sid: z.string(),
  start_date: z.string().nullable(),
  products: z.array(subscriptionProductSchema),
  last4: z.string().optional(),
  exp_month: z.number().optional(),
  exp_year: z.number().optional(),
  card_type: z.string().optional(),
  statement_descriptor: z.string().optional(),
  /** A Trunkline addition: quantities that wait for a payment. */
  pending: z.object({ products: z.array(subscriptionProductSchema), reason: z.string().optional() }).optional(),
  /** A Trunkline addition: when the paid plan ends, ISO 8601. Absent unless a downgrade is scheduled. */
  ends_at: z.string().optional(),
  /** A Trunkline addition: the unpaid invoice of a suspended subscription. Minor units and ISO 8601. */
  unpaid_invoice: unpaidInvoiceSchema.optional(),
})

/** A Trunkline addition to each account of a list, in the hosted edition, for providers and administrators. */
export const accountSubscriptionSchema = z.object({
  status: z.enum(['active', 'suspended']),
  suspend_reason: z.string().optional(),
  products: z.array(subscriptionProductSchema),
  /** What the account pays per month, and when next; null if it pays nothing. Minor units and ISO 8601. */
  next_invoice: z.object({ total: z.number(), currency: z.string(), date: z.string().nullable() }).nullable(),
  /** When the paid plan ends, ISO 8601. Absent unless a downgrade is scheduled. */
  ends_at: z.string().optional(),
  /** The unpaid invoice of a suspended subscription. Minor units and ISO 8601. */
  unpaid_invoice: unpaidInvoiceSchema.optional(),
})

/** A Trunkline addition: how many accounts of a provider have each plan, and what the paid ones pay per month. */
export const planSummarySchema = z.object({
  total: z.number(),
  counts: z.record(z.enum(planStates), z.number()),
  /** Minor units, one entry per currency. */
  monthly_totals: z.array(z.object({ currency: z.string(), total: z.number() })),
})

/** A Trunkline addition: extends a trial, or starts one again. */
export const trialExtensionSchema = z.strictObject({ trial_end_date: timestampInput() })

export type ProductPrice = z.output<typeof productPriceSchema>
export type StripeCustomer = z.output<typeof stripeCustomerSchema>
export type SubscriptionAction = (typeof subscriptionActions)[number]
export type SubscriptionChange =
  | {
      action: 'upgrade-to-paid'
      payment_method_id?: string
      products: PurchasedProduct[]
      stripe_customer_id?: string
      dry_run?: boolean
    }
  | { action: 'update-payment-method'; payment_method_id: string }
  | { action: 'update-quantities'; products: PurchasedProduct[]; dry_run?: boolean }
  | { action: 'downgrade-to-free' | 'keep-paid-plan' }
export interface PurchasedProduct {
  price_id: string
  product_sid: string
  quantity: number
}
export type SubscriptionResult = z.output<typeof subscriptionResultSchema>
export type Invoice = z.output<typeof invoiceSchema>
export type CurrentSubscription = z.output<typeof currentSubscriptionSchema>
export type AccountSubscription = z.output<typeof accountSubscriptionSchema>
export type PlanSummary = z.output<typeof planSummarySchema>
export type TrialExtension = z.input<typeof trialExtensionSchema>

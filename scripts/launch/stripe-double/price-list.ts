import type { Price, Product, Tier } from './objects'
import type { Store } from './store'

export interface PriceDraft {
  category: 'voice_call_session' | 'device'
  name: string
  unitLabel: string
  description?: string
  currency?: string
  /** Minor units. */
  unitAmount?: number
  tiers?: { up_to: number | null; flat_amount?: number; unit_amount?: number }[]
  tiersMode?: 'volume' | 'graduated'
}

const decimalOf = (amount: number | undefined) => (amount === undefined ? null : String(amount))

const completeTier = ({ up_to, flat_amount, unit_amount }: NonNullable<PriceDraft['tiers']>[number]): Tier => ({
  up_to,
  flat_amount: flat_amount ?? null,
  flat_amount_decimal: decimalOf(flat_amount),
  unit_amount: unit_amount ?? null,
  unit_amount_decimal: decimalOf(unit_amount),
})

/** Adds a product with one monthly price, as an administrator does in Stripe's dashboard. Returns the price. */
export const addPrice = (store: Store, draft: PriceDraft): Price => {
  const { category, name, unitLabel, description = null, currency = 'usd', unitAmount, tiers, tiersMode } = draft
  const product: Product = {
    id: store.createId('prod'),
    object: 'product',
    active: true,
    created: store.now(),
    name,
    description,
    metadata: { availability: 'general', jambonz_category: category },
    unit_label: unitLabel,
  }
  const price: Price = {
    id: store.createId('price'),
    object: 'price',
    active: true,
    created: store.now(),
    currency,
    metadata: {},
    product: product.id,
    billing_scheme: tiers ? 'tiered' : 'per_unit',
    tiers_mode: tiers ? (tiersMode ?? 'volume') : null,
    tiers: tiers ? tiers.map(completeTier) : null,
    type: 'recurring',
    recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
    unit_amount: tiers ? null : (unitAmount ?? 0),
    unit_amount_decimal: tiers ? null : String(unitAmount ?? 0),
  }
  store.products.set(product.id, product)
  store.prices.set(price.id, price)
  return price
}

/** The price list that tests and the demo use: call sessions at $12.00, and devices in three tiers. */
export const samplePrices: readonly PriceDraft[] = [
  { category: 'voice_call_session', name: 'concurrent call session', unitLabel: 'session', unitAmount: 1200 },
  {
    category: 'device',
    name: 'registered device',
    unitLabel: 'device',
    tiers: [
      { up_to: 10, flat_amount: 1000 },
      { up_to: 50, unit_amount: 90 },
      { up_to: null, unit_amount: 75 },
    ],
  },
]

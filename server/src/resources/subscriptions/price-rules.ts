import type { ListedPrice } from '../../ports/payment'

type Tier = NonNullable<ListedPrice['tiers']>[number]

const isMonthly = ({ recurring }: ListedPrice): boolean => {
  const period = recurring as { interval?: unknown; interval_count?: unknown; usage_type?: unknown } | null
  return period?.interval === 'month' && period.interval_count === 1 && period.usage_type === 'licensed'
}

/** Whether an amount is a fraction of a minor unit, which has only a decimal form. */
const isFraction = (amount: number | null, decimal: unknown) =>
  amount === null && typeof decimal === 'string' && Number(decimal) !== 0

const hasFraction = ({ flat_amount, flat_amount_decimal, unit_amount, unit_amount_decimal }: Tier) =>
  isFraction(flat_amount, flat_amount_decimal) || isFraction(unit_amount, unit_amount_decimal)

const chargesBoth = ({ flat_amount, unit_amount }: Tier) => Boolean(flat_amount) && Boolean(unit_amount)

/**
 * Why a price cannot be sold: what people see would not be what they pay. Undefined if it can be sold. The console shows the
 * amount of one tier for the whole quantity.
 */
export const findPriceProblem = (price: ListedPrice): string | undefined => {
  if (!isMonthly(price)) return 'it is not charged every month for a quantity'
  if (price.transform_quantity) return 'it is charged for packages'
  if (price.billing_scheme !== 'tiered')
    return price.unit_amount === null ? 'its amount is not a whole number of minor units' : undefined
  if (price.tiers_mode !== 'volume') return 'its tiers are graduated; use volume pricing'
  const tiers = price.tiers ?? []
  if (tiers.length === 0) return 'its tiers are unknown'
  if (tiers.some(hasFraction)) return 'a tier has an amount that is not a whole number of minor units'
  if (tiers.some(chargesBoth)) return 'a tier has both a flat amount and a unit amount'
  return undefined
}

/** A tier without a flat amount may have one of 0, which would hide its unit amount. */
export const normalizePrice = (price: ListedPrice): ListedPrice => ({
  ...price,
  tiers:
    price.tiers?.map((tier) => (tier.flat_amount === 0 && tier.unit_amount ? { ...tier, flat_amount: null } : tier)) ??
    null,
})

import { formatMoney } from '@trunkline/contract/billing/money'
import type { PriceRule } from '@trunkline/contract/billing/price'
import { formatCount } from '../../ui/format-count'

/** The quantities that have the same price. Amounts are in minor units. */
export interface QuantityPrice {
  /** '1 to 10', '51 or more'. */
  range: string
  flatAmount: number | null
  unitAmount: number
}

const formatRange = (from: number, upTo: number | null) => {
  if (upTo === null) return from === 1 ? 'Any quantity' : `${formatCount(from)} or more`
  return from === upTo ? formatCount(from) : `${formatCount(from)} to ${formatCount(upTo)}`
}

/** The prices by quantity: one for each tier, or one for all quantities. */
export const listTiers = ({ billing_scheme, unit_amount, tiers }: PriceRule): QuantityPrice[] => {
  if (billing_scheme !== 'tiered')
    return [{ range: formatRange(1, null), flatAmount: null, unitAmount: unit_amount ?? 0 }]
  return (tiers ?? []).map((tier, index, all) => ({
    range: formatRange((all[index - 1]?.up_to ?? 0) + 1, tier.up_to),
    flatAmount: tier.flat_amount,
    unitAmount: tier.unit_amount ?? 0,
  }))
}

/** '$10.00 in total', '$0.90 per device'. */
export const formatAmount = ({ flatAmount, unitAmount }: QuantityPrice, currency: string, unit: string): string =>
  flatAmount === null
    ? `${formatMoney(unitAmount, currency)} per ${unit}`
    : `${formatMoney(flatAmount, currency)} in total`

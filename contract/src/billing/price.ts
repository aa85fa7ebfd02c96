/** A range of quantities with its own price. `up_to` is its largest quantity; null: no limit. Amounts are in minor units. */
export interface PriceTier {
  up_to: number | null
  flat_amount: number | null
  unit_amount: number | null
}

/** What a price must state to calculate a cost. Amounts are in the currency's minor units. */
export interface PriceRule {
  billing_scheme: string
  unit_amount: number | null
  tiers?: readonly PriceTier[] | null
}

/** The tier of a quantity: the first one that reaches it. */
export const findTier = (tiers: readonly PriceTier[], quantity: number) =>
  tiers.find(({ up_to }) => up_to === null || up_to >= quantity)

/**
 * The monthly cost of a quantity in minor units. With tiers, the tier of the whole quantity counts (volume pricing): its
 * flat amount or, without one, its unit amount for every unit.
 */
export const calculateCost = ({ billing_scheme, unit_amount, tiers }: PriceRule, quantity: number): number => {
  if (quantity === 0) return 0
  if (billing_scheme !== 'tiered') return (unit_amount ?? 0) * quantity
  const tier = findTier(tiers ?? [], quantity)
  if (!tier) return 0
  return tier.flat_amount ?? (tier.unit_amount ?? 0) * quantity
}

import type { InvoiceLine, Price, SubscriptionItem, Tier } from './objects'

const costOfTier = ({ flat_amount, unit_amount }: Tier, units: number) =>
  (flat_amount ?? 0) + (unit_amount ?? 0) * units

/** With graduated tiers, each tier prices the units that fall into it. */
const graduatedCost = (tiers: readonly Tier[], quantity: number) => {
  let cost = 0
  let counted = 0
  for (const tier of tiers) {
    const units = Math.min(quantity, tier.up_to ?? Infinity) - counted
    if (units <= 0) break
    cost += costOfTier(tier, units)
    counted += units
  }
  return cost
}

/** What Stripe charges for a quantity per period, in minor units. */
export const costOf = ({ billing_scheme, tiers, tiers_mode, unit_amount }: Price, quantity: number): number => {
  if (billing_scheme === 'per_unit') return (unit_amount ?? 0) * quantity
  if (tiers_mode === 'graduated') return graduatedCost(tiers ?? [], quantity)
  const tier = tiers?.find(({ up_to }) => up_to === null || up_to >= quantity)
  return tier && quantity > 0 ? costOfTier(tier, quantity) : 0
}

/** The new quantities and prices of a subscription's items, by item. */
export type ItemChanges = ReadonlyMap<string, { quantity?: number; price?: Price }>

/** The items of a subscription after a change. */
export const applyItemChanges = (items: readonly SubscriptionItem[], changes: ItemChanges): SubscriptionItem[] =>
  items.map((item) => {
    const { quantity = item.quantity, price = item.price } = changes.get(item.id) ?? {}
    return { ...item, quantity, price }
  })

type LineDraft = Omit<InvoiceLine, 'id' | 'object'>

/** The cost of a full period. */
export const periodLines = (items: readonly SubscriptionItem[], period: { start: number; end: number }): LineDraft[] =>
  items.map(({ price, quantity }) => ({
    amount: costOf(price, quantity),
    currency: price.currency,
    description: `${quantity} × ${price.product}`,
    quantity,
    period,
  }))

/**
 * The lines for a change within the period: for each changed item a credit for the unused time at the old quantity, and a
 * charge for the remaining time at the new one. Stripe prorates to the second.
 */
export const prorationLines = (
  items: readonly SubscriptionItem[],
  changes: ItemChanges,
  atSeconds: number,
): LineDraft[] =>
  items.flatMap(({ id, price, quantity, current_period_start: start, current_period_end: end }) => {
    const { quantity: newQuantity = quantity, price: newPrice = price } = changes.get(id) ?? {}
    if (newQuantity === quantity && newPrice.id === price.id) return []
    const remaining = (end - atSeconds) / (end - start)
    const period = { start: atSeconds, end }
    const { currency, product } = price
    return [
      {
        amount: -Math.round(costOf(price, quantity) * remaining),
        currency,
        description: `Unused time on ${quantity} × ${product}`,
        quantity,
        period,
      },
      {
        amount: Math.round(costOf(newPrice, newQuantity) * remaining),
        currency,
        description: `Remaining time on ${newQuantity} × ${newPrice.product}`,
        quantity: newQuantity,
        period,
      },
    ]
  })

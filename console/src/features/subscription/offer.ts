import { billedCategories, type BilledCategory, type Quantities } from '@trunkline/contract/billing/capacity'
import { calculateCost } from '@trunkline/contract/billing/price'
import type { ProductPrice, PurchasedProduct } from '@trunkline/contract/shapes/subscription'

type Price = ProductPrice['prices'][number]

/** What an account can buy, in one currency. */
export interface Offer {
  currency: string
  products: { category: BilledCategory; product_sid: string; unitLabel: string; price: Price }[]
}

const defaultCurrency = 'usd'
const defaultUnitLabels: Record<BilledCategory, string> = { voice_call_session: 'session', device: 'device' }

const hasPrice = ({ prices }: ProductPrice, currency: string) => prices.some((price) => price.currency === currency)

/**
 * Selects one price per product. Undefined if no call sessions are offered. A subscription cannot mix currencies:
 * `currentCurrency` is that of the present one.
 */
export const selectOffer = (list: readonly ProductPrice[], currentCurrency?: string): Offer | undefined => {
  const sessions = list.find(({ category }) => category === 'voice_call_session')
  const firstPrice = sessions?.prices[0]
  if (!sessions || !firstPrice) return undefined
  const currency =
    [currentCurrency, defaultCurrency].find((code) => code !== undefined && hasPrice(sessions, code)) ??
    firstPrice.currency
  const products = billedCategories.flatMap((category) => {
    const product = list.find((candidate) => candidate.category === category)
    const price = product?.prices.find((candidate) => candidate.currency === currency)
    if (!product || !price) return []
    return [
      {
        category,
        product_sid: product.product_sid,
        unitLabel: product.unit_label ?? defaultUnitLabels[category],
        price,
      },
    ]
  })
  return { currency, products }
}

/** The monthly cost of one product, in minor units. */
export const costOf = ({ products }: Offer, category: BilledCategory, quantity: number): number => {
  const price = products.find((product) => product.category === category)?.price
  return price ? calculateCost(price, quantity) : 0
}

/** The monthly cost of all products, in minor units. */
export const totalOf = (offer: Offer, quantities: Quantities): number =>
  billedCategories.reduce((total, category) => total + costOf(offer, category, quantities[category]), 0)

export const toPurchasedProducts = ({ products }: Offer, quantities: Quantities): PurchasedProduct[] =>
  products.map(({ category, product_sid, price }) => ({
    price_id: price.stripe_price_id,
    product_sid,
    quantity: quantities[category],
  }))

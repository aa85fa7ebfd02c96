import { billedCategories, paidQuantityRanges, type Quantities } from '@trunkline/contract/billing/capacity'
import { messages } from '@trunkline/contract/messages/subscription'
import { calculateCost } from '@trunkline/contract/billing/price'
import type { ProductPrice } from '@trunkline/contract/shapes/subscription'
import { badRequest } from '../../http/problem'
import type { SubscriptionLine } from '../../ports/payment'

/** What an account buys. */
export interface Purchase {
  lines: SubscriptionLine[]
  quantities: Quantities
  currency: string
  /** Minor units. */
  monthlyCost: number
}

/** The product names in error messages. Existing clients show these messages. */
const categoryNames = { voice_call_session: 'voice call session', device: 'device' } as const

interface RequestedProduct {
  price_id: string
  product_sid: string
  quantity: number
}

const isRequestedProduct = (value: unknown): value is RequestedProduct => {
  const product = value as Partial<Record<keyof RequestedProduct, unknown>> | null
  return (
    typeof product?.price_id === 'string' &&
    typeof product.product_sid === 'string' &&
    Number.isSafeInteger(product.quantity)
  )
}

const checkQuantity = (category: keyof typeof categoryNames, quantity: number, field: string): void => {
  const { min, max } = paidQuantityRanges[category]
  if (quantity < min) throw badRequest(messages.minimum(categoryNames[category], min), field)
  if (quantity > max) throw badRequest(messages.maximum(categoryNames[category], max), field)
}

/**
 * Checks the products of a request against the offered ones. A client chooses only the quantities and, for each product, one of
 * the offered prices. Every offered product becomes a line of the subscription; the quantity of a missing one is 0.
 */
export const readPurchase = (products: unknown, offered: readonly ProductPrice[]): Purchase => {
  if (!Array.isArray(products) || products.length === 0) throw badRequest(messages.missingProducts, 'products')
  const getFieldPath = (index: number, name: string) => `products.${index}.${name}`
  const requested = products.map((product: unknown, index) => {
    if (!isRequestedProduct(product)) throw badRequest(messages.invalidProduct, `products.${index}`)
    const offer = offered.find(({ product_sid }) => product_sid === product.product_sid)
    const price = offer?.prices.find(({ stripe_price_id }) => stripe_price_id === product.price_id)
    if (!offer || !price) throw badRequest(messages.unknownPrice, getFieldPath(index, 'price_id'))
    if (
      products.findIndex((other: unknown) => isRequestedProduct(other) && other.product_sid === product.product_sid) !==
      index
    )
      throw badRequest(messages.invalidProduct, `products.${index}`)
    return { ...product, category: offer.category as keyof typeof categoryNames, price, index }
  })
  const currency = requested[0]!.price.currency
  const quantities: Quantities = { voice_call_session: 0, device: 0 }
  let monthlyCost = 0
  for (const { category, quantity, price, index } of requested) {
    if (price.currency !== currency) throw badRequest(messages.mixedCurrencies, getFieldPath(index, 'price_id'))
    checkQuantity(category, quantity, getFieldPath(index, 'quantity'))
    quantities[category] = quantity
    monthlyCost += calculateCost(price, quantity)
  }
  checkQuantity('voice_call_session', quantities.voice_call_session, 'products')
  const lines = billedCategories.flatMap((category): SubscriptionLine[] => {
    const line = requested.find((product) => product.category === category)
    if (line) return [{ product_sid: line.product_sid, priceId: line.price.stripe_price_id, quantity: line.quantity }]
    const offer = offered.find((product) => product.category === category)
    const price = offer?.prices.find((candidate) => candidate.currency === currency)
    return offer && price ? [{ product_sid: offer.product_sid, priceId: price.stripe_price_id, quantity: 0 }] : []
  })
  return { lines, quantities, currency, monthlyCost }
}

import { billedCategories, type BilledCategory } from '@trunkline/contract/billing/capacity'
import type { ProductPrice } from '@trunkline/contract/shapes/subscription'
import type { Connection } from '../../db/repository-options'
import type { ListedProduct, PaymentProvider } from '../../ports/payment'
import { findPriceProblem, normalizePrice } from './price-rules'

/** How long a list of products is used. */
const maxAgeMs = 30_000

/** The prices of a product that are not sold, with the reasons. */
const listRefusedPrices = ({ prices }: ListedProduct) =>
  prices.flatMap((price) => {
    const reason = findPriceProblem(price)
    return reason === undefined ? [] : [{ stripe_price_id: price.stripe_price_id, currency: price.currency, reason }]
  })

interface PriceListOptions {
  db: Connection
  payment: Pick<PaymentProvider, 'listProducts'>
  logError: (message: string) => void
  clock?: () => number
}

/** The products that an account can buy: those that are offered to it only, or else those for everybody. */
export const createPriceList = ({ db, payment, logError, clock = Date.now }: PriceListOptions) => {
  const reportedPrices = new Set<string>()
  let cached: { products: Promise<ListedProduct[]>; expiresAt: number } | undefined

  /** Removes the prices that cannot be sold, and logs each once. */
  const keepSellablePrices = (product: ListedProduct): ListedProduct => {
    const prices = product.prices.filter((price) => {
      const problem = findPriceProblem(price)
      if (problem && !reportedPrices.has(price.stripe_price_id)) {
        reportedPrices.add(price.stripe_price_id)
        logError(`The price ${price.stripe_price_id} of ${product.name} is not sold: ${problem}.`)
      }
      return problem === undefined
    })
    return { ...product, prices: prices.map(normalizePrice) }
  }

  const listProducts = (): Promise<ListedProduct[]> => {
    if (cached && clock() < cached.expiresAt) return cached.products
    const products = payment.listProducts()
    cached = { products, expiresAt: clock() + maxAgeMs }
    products.catch(() => (cached = undefined))
    return products
  }

  const listOffers = (account_sid: string) =>
    db.selectFrom('account_offers').selectAll().where('account_sid', '=', account_sid).execute()

  return {
    /** The products for an account, or for nobody in particular: at most one per category. */
    async read(account_sid?: string): Promise<ProductPrice[]> {
      const [listed, rows, offers] = await Promise.all([
        listProducts(),
        db.selectFrom('products').selectAll().where('category', 'in', billedCategories).execute(),
        account_sid === undefined ? [] : listOffers(account_sid),
      ])
      const findListed = (category: BilledCategory, product_sid: string): ListedProduct | undefined => {
        const offer = offers.find((row) => row.product_sid === product_sid)
        if (offer) return listed.find(({ id }) => id === offer.stripe_product_id)
        // The newest, if several products have the same category.
        return listed
          .filter(({ generalCategory }) => generalCategory === category)
          .sort((first, second) => second.createdAt - first.createdAt)[0]
      }
      return billedCategories.flatMap((category) => {
        const row = rows.find((product) => product.category === category)
        const product = row && findListed(category, row.product_sid)
        if (!row || !product) return []
        const { id, name, description, unitLabel, prices } = keepSellablePrices(product)
        // The provider who sells sees what is not sold, and why.
        const refusedPrices = account_sid === undefined ? listRefusedPrices(product) : []
        if (prices.length === 0 && refusedPrices.length === 0) return []
        return [
          {
            product_sid: row.product_sid,
            name,
            category,
            stripe_product_id: id,
            description,
            unit_label: unitLabel,
            prices,
            ...(refusedPrices.length > 0 ? { refused_prices: refusedPrices } : {}),
          },
        ]
      })
    },

    /** Logs the prices that cannot be sold. */
    async check(): Promise<void> {
      for (const product of await listProducts()) keepSellablePrices(product)
    },
  }
}

export type PriceList = ReturnType<typeof createPriceList>

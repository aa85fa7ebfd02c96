import { randomUUID } from 'node:crypto'
import { billedCategories, type Quantities } from '@trunkline/contract/billing/capacity'
import type { Connection } from '../db/repository-options'
import { toColumnTime } from '../db/time'

/** Inserts what a subscription grants. */
export const insertProducts = async (
  tx: Connection,
  account_subscription_sid: string,
  quantities: Quantities,
): Promise<void> => {
  const products = await tx
    .selectFrom('products')
    .select(['product_sid', 'category'])
    .where('category', 'in', billedCategories)
    .execute()
  for (const category of billedCategories) {
    const product = products.find((row) => row.category === category)
    // An existing database may lack the products of the platform's setup.
    if (!product) continue
    await tx
      .insertInto('account_products')
      .values({
        account_product_sid: randomUUID(),
        account_subscription_sid,
        product_sid: product.product_sid,
        quantity: quantities[category],
      })
      .execute()
  }
}

interface Replacement {
  account_sid: string
  quantities: Quantities
  /** Why the previous subscription ended. */
  reason: string
}

/** Ends the subscription of an account, with a change that waits for its payment, and starts another one that is not billed. */
export const replaceSubscription = async (
  tx: Connection,
  { account_sid, quantities, reason }: Replacement,
): Promise<void> => {
  await tx
    .updateTable('account_subscriptions')
    .set({ effective_end_date: toColumnTime(), change_reason: reason })
    .where('account_sid', '=', account_sid)
    .where('effective_end_date', 'is', null)
    .execute()
  const account_subscription_sid = randomUUID()
  await tx
    .insertInto('account_subscriptions')
    .values({ account_subscription_sid, account_sid, effective_start_date: toColumnTime() })
    .execute()
  await insertProducts(tx, account_subscription_sid, quantities)
}

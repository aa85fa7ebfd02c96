import { freeQuantities, productNames } from '@trunkline/contract/billing/capacity'
import type { CurrentSubscription } from '@trunkline/contract/shapes/subscription'
import type { Connection } from '../../db/repository-options'
import { toWireTime } from '../../db/time'
import type { SecretEncryption } from '../../secrets/encryption'

type Products = CurrentSubscription['products']

/** For an account without a subscription: existing databases contain accounts that an administrator added. */
const missingSubscription: CurrentSubscription = {
  status: 'active',
  account_subscription_sid: '',
  start_date: null,
  products: [
    { name: productNames.voice_call_session, quantity: freeQuantities.voice_call_session },
    { name: productNames.device, quantity: freeQuantities.device },
  ],
}

const readSubscriptionRows = (db: Connection, account_sid: string) =>
  db
    .selectFrom('account_subscriptions as s')
    .leftJoin('trunkline_subscription_details as d', 'd.account_subscription_sid', 's.account_subscription_sid')
    .selectAll('s')
    .select(['d.is_waiting', 'd.ends_at', 'd.unpaid_total', 'd.unpaid_currency', 'd.unpaid_created_at'])
    .where('s.account_sid', '=', account_sid)
    .where('s.effective_end_date', 'is', null)
    .orderBy('s.effective_start_date')
    .orderBy('s.account_subscription_sid')
    .execute()

type SubscriptionRow = Awaited<ReturnType<typeof readSubscriptionRows>>[number]

const readProducts = (db: Connection, { account_subscription_sid }: SubscriptionRow): Promise<Products> =>
  db
    .selectFrom('account_products')
    .innerJoin('products', 'products.product_sid', 'account_products.product_sid')
    .select(['products.name', 'account_products.quantity'])
    .where('account_subscription_sid', '=', account_subscription_sid)
    .orderBy('products.name')
    .execute()

/** The text of `pending_reason`. The column contains bytes. */
export const decodeReason = (bytes: Buffer | null): string | undefined => bytes?.toString() || undefined

const presentCard = (row: SubscriptionRow, encryption: SecretEncryption) => {
  const last4 = row.last4 ? encryption.decrypt(row.last4) : undefined
  return {
    ...(last4?.ok ? { last4: last4.text } : {}),
    ...(row.exp_month === null ? {} : { exp_month: row.exp_month }),
    ...(row.exp_year === null ? {} : { exp_year: row.exp_year }),
    ...(row.card_type === null ? {} : { card_type: row.card_type }),
    ...(row.stripe_statement_descriptor === null ? {} : { statement_descriptor: row.stripe_statement_descriptor }),
  }
}

const presentInvoices = (row: SubscriptionRow) => ({
  ...(row.ends_at === null ? {} : { ends_at: new Date(Number(row.ends_at)).toISOString() }),
  ...(row.unpaid_total === null || row.unpaid_currency === null
    ? {}
    : {
        unpaid_invoice: {
          total: Number(row.unpaid_total),
          currency: row.unpaid_currency,
          created_at: new Date(Number(row.unpaid_created_at)).toISOString(),
        },
      }),
})

/** The current subscription, and a change of it that waits for its payment. An upgrade that waits is no such change. */
const selectRows = (rows: readonly SubscriptionRow[]) => {
  const candidates = rows.filter(({ is_waiting }) => !is_waiting)
  const current = candidates.find(({ pending }) => !pending) ?? candidates[0]
  const waitingChange = rows.findLast(
    (row) =>
      row !== current &&
      row.pending &&
      row.stripe_subscription_id !== null &&
      row.stripe_subscription_id === current?.stripe_subscription_id,
  )
  return { current, waitingChange }
}

/**
 * The subscription of an account. A row with `pending` is a change that waits for its payment or, if it is the only row,
 * the suspended subscription.
 */
export const readCurrentSubscription = async (
  db: Connection,
  encryption: SecretEncryption,
  account_sid: string,
): Promise<CurrentSubscription> => {
  const { current, waitingChange } = selectRows(await readSubscriptionRows(db, account_sid))
  if (!current) return missingSubscription
  const suspendReason = current.pending ? decodeReason(current.pending_reason) : undefined
  const changeReason = waitingChange ? decodeReason(waitingChange.pending_reason) : undefined
  return {
    status: current.pending ? 'suspended' : 'active',
    ...(suspendReason ? { suspend_reason: suspendReason } : {}),
    account_subscription_sid: current.account_subscription_sid,
    start_date: toWireTime(current.effective_start_date),
    products: await readProducts(db, current),
    ...presentCard(current, encryption),
    ...presentInvoices(current),
    ...(waitingChange
      ? {
          pending: {
            products: await readProducts(db, waitingChange),
            ...(changeReason ? { reason: changeReason } : {}),
          },
        }
      : {}),
  }
}

import { billedCategories, type Quantities } from '@trunkline/contract/billing/capacity'
import type { Connection } from '../../db/repository-options'
import { toColumnTime } from '../../db/time'
import { insertProducts } from '../../shared/replace-subscription'

/** A row of an account's subscriptions that has not ended. */
export interface LocalSubscription {
  account_subscription_sid: string
  /** Waits for a payment. */
  isPending: boolean
  stripe_subscription_id: string | null
  stripe_payment_method_id: string | null
  /** Whether the end of the paid plan is scheduled. */
  hasScheduledEnd: boolean
  quantities: Quantities
}

export interface OpenSubscriptions {
  /** Absent for accounts that an administrator added. */
  current?: LocalSubscription
  /** Rows that replace the current one when they are paid. */
  waiting: LocalSubscription[]
}

/** Reasons that the platform's programs know. */
export const changeReasons = {
  upgraded: 'upgrade to paid plan',
  changed: 'change plan details',
  downgraded: 'downgrade to free plan',
  paymentFailed: 'payment failed',
  replaced: 'replaced by another change',
} as const

const readQuantities = async (
  db: Connection,
  subscriptionSids: readonly string[],
): Promise<Map<string, Quantities>> => {
  const quantitiesBySid = new Map<string, Quantities>()
  if (subscriptionSids.length === 0) return quantitiesBySid
  const rows = await db
    .selectFrom('account_products as a')
    .innerJoin('products as p', 'p.product_sid', 'a.product_sid')
    .select(['a.account_subscription_sid', 'a.quantity', 'p.category'])
    .where('a.account_subscription_sid', 'in', subscriptionSids)
    .where('p.category', 'in', billedCategories)
    .execute()
  for (const { account_subscription_sid, category, quantity } of rows) {
    const quantities = quantitiesBySid.get(account_subscription_sid) ?? { voice_call_session: 0, device: 0 }
    quantitiesBySid.set(account_subscription_sid, { ...quantities, [category]: quantity })
  }
  return quantitiesBySid
}

/** The current subscription of an account, and those that wait to replace it. */
export const readOpenSubscriptions = async (db: Connection, account_sid: string): Promise<OpenSubscriptions> => {
  const rows = await db
    .selectFrom('account_subscriptions as s')
    .leftJoin('trunkline_subscription_details as d', 'd.account_subscription_sid', 's.account_subscription_sid')
    .select([
      's.account_subscription_sid',
      's.pending',
      's.stripe_subscription_id',
      's.stripe_payment_method_id',
      'd.ends_at',
      'd.is_waiting',
    ])
    .where('s.account_sid', '=', account_sid)
    .where('s.effective_end_date', 'is', null)
    .orderBy('s.effective_start_date')
    .orderBy('s.account_subscription_sid')
    .execute()
  const quantitiesBySid = await readQuantities(
    db,
    rows.map(({ account_subscription_sid }) => account_subscription_sid),
  )
  const candidates = rows.filter(({ is_waiting }) => !is_waiting)
  const currentRow = candidates.find(({ pending }) => !pending) ?? candidates[0]
  const toLocal = (row: (typeof rows)[number]): LocalSubscription => ({
    account_subscription_sid: row.account_subscription_sid,
    isPending: row.pending !== 0,
    stripe_subscription_id: row.stripe_subscription_id,
    stripe_payment_method_id: row.stripe_payment_method_id,
    hasScheduledEnd: row.ends_at !== null,
    quantities: quantitiesBySid.get(row.account_subscription_sid) ?? { voice_call_session: 0, device: 0 },
  })
  return {
    ...(currentRow ? { current: toLocal(currentRow) } : {}),
    waiting: rows.filter((row) => row !== currentRow && row.pending).map(toLocal),
  }
}

export interface WaitingSubscription {
  account_subscription_sid: string
  account_sid: string
  quantities: Quantities
  /** Absent before an upgrade. */
  stripe_subscription_id?: string
}

/** Inserts a row that waits for its payment. */
export const insertWaitingSubscription = async (
  tx: Connection,
  { account_subscription_sid, account_sid, quantities, stripe_subscription_id }: WaitingSubscription,
): Promise<void> => {
  await tx
    .insertInto('account_subscriptions')
    .values({
      account_subscription_sid,
      account_sid,
      pending: 1,
      effective_start_date: toColumnTime(),
      ...(stripe_subscription_id ? { stripe_subscription_id } : {}),
    })
    .execute()
  await insertProducts(tx, account_subscription_sid, quantities)
  await tx.insertInto('trunkline_subscription_details').values({ account_subscription_sid, is_waiting: 1 }).execute()
}

/** Ends a row, unless it has ended. */
export const endSubscriptionRow = async (
  tx: Connection,
  account_subscription_sid: string,
  change_reason: string,
): Promise<void> => {
  await tx
    .updateTable('account_subscriptions')
    .set({ effective_end_date: toColumnTime(), change_reason })
    .where('account_subscription_sid', '=', account_subscription_sid)
    .where('effective_end_date', 'is', null)
    .execute()
  await tx
    .deleteFrom('trunkline_subscription_details')
    .where('account_subscription_sid', '=', account_subscription_sid)
    .execute()
}

export const setStripeSubscription = async (
  db: Connection,
  account_subscription_sid: string,
  stripe_subscription_id: string,
): Promise<void> => {
  await db
    .updateTable('account_subscriptions')
    .set({ stripe_subscription_id })
    .where('account_subscription_sid', '=', account_subscription_sid)
    .execute()
}

/** The column contains bytes. */
const toBytes = (reason: string | null) => (reason === null ? null : Buffer.from(reason))

/** Makes a waiting row the current one. */
export const activateRow = async (tx: Connection, account_subscription_sid: string): Promise<void> => {
  await tx
    .updateTable('account_subscriptions')
    .set({ pending: 0, pending_reason: null, effective_start_date: toColumnTime() })
    .where('account_subscription_sid', '=', account_subscription_sid)
    .execute()
}

/** Marks a row as one that waits for a payment, or as paid. */
export const setPending = async (
  tx: Connection,
  account_subscription_sid: string,
  reason: string | null,
): Promise<void> => {
  await tx
    .updateTable('account_subscriptions')
    .set({ pending: reason === null ? 0 : 1, pending_reason: toBytes(reason) })
    .where('account_subscription_sid', '=', account_subscription_sid)
    .execute()
}

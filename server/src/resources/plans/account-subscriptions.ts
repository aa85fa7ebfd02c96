import { sql } from 'kysely'
import type { Account } from '@trunkline/contract/shapes/account'
import type { AccountSubscription } from '@trunkline/contract/shapes/subscription'
import type { Connection, Row } from '../../db/repository-options'
import type { Services } from '../../composition/services'
import { decodeReason } from './current-subscription'

interface SubscriptionRow extends Row {
  account_subscription_sid: string
  account_sid: string
  pending: number
  pending_reason: Buffer | null
  next_total: number | string | null
  next_currency: string | null
  next_at: number | string | null
  ends_at: number | string | null
  unpaid_total: number | string | null
  unpaid_currency: string | null
  unpaid_created_at: number | string | null
}

const readSubscriptions = async (db: Connection, accountSids: readonly string[]): Promise<SubscriptionRow[]> => {
  const { rows } = await sql<SubscriptionRow>`
    select s.account_subscription_sid, s.account_sid, s.pending, s.pending_reason,
      d.next_total, d.next_currency, d.next_at, d.ends_at,
      d.unpaid_total, d.unpaid_currency, d.unpaid_created_at
    from account_subscriptions s
    left join trunkline_subscription_details d on d.account_subscription_sid = s.account_subscription_sid
    where s.effective_end_date is null and s.account_sid in (${sql.join(accountSids)})
    order by s.effective_start_date, s.account_subscription_sid`.execute(db)
  return rows
}

const readProducts = async (db: Connection, subscriptionSids: readonly string[]) => {
  const rows = await db
    .selectFrom('account_products as a')
    .innerJoin('products as p', 'p.product_sid', 'a.product_sid')
    .select(['a.account_subscription_sid', 'p.name', 'a.quantity'])
    .where('a.account_subscription_sid', 'in', subscriptionSids)
    .orderBy('p.name')
    .execute()
  const productsBySubscription = new Map<string, AccountSubscription['products']>()
  for (const { account_subscription_sid, ...product } of rows)
    productsBySubscription.set(account_subscription_sid, [
      ...(productsBySubscription.get(account_subscription_sid) ?? []),
      product,
    ])
  return productsBySubscription
}

/** A timestamp in milliseconds as the API returns it. MySQL returns large numbers as text. */
const toIsoTime = (value: number | string | null) => (value === null ? null : new Date(Number(value)).toISOString())

const presentNextInvoice = ({ next_total, next_currency, next_at }: SubscriptionRow) =>
  next_total === null || next_currency === null
    ? null
    : { total: Number(next_total), currency: next_currency, date: toIsoTime(next_at) }

const presentUnpaidInvoice = ({ unpaid_total, unpaid_currency, unpaid_created_at }: SubscriptionRow) => {
  const created_at = toIsoTime(unpaid_created_at)
  return unpaid_total === null || unpaid_currency === null || created_at === null
    ? undefined
    : { total: Number(unpaid_total), currency: unpaid_currency, created_at }
}

/** The current subscription of each account: the active one, or else the suspended one. */
const selectCurrent = (rows: readonly SubscriptionRow[]) => {
  const currentByAccount = new Map<string, SubscriptionRow>()
  for (const row of rows) {
    const previous = currentByAccount.get(row.account_sid)
    if (!previous || (previous.pending && !row.pending)) currentByAccount.set(row.account_sid, row)
  }
  return currentByAccount
}

/** Adds the subscription to each account of a list, in three queries for the complete list. */
export const attachSubscriptions = async <Row extends Pick<Account, 'account_sid'>>(
  { store }: Pick<Services, 'store'>,
  accounts: readonly Row[],
): Promise<(Row & { subscription: AccountSubscription | null })[]> => {
  if (accounts.length === 0) return []
  const { db } = store.database
  const currentByAccount = selectCurrent(
    await readSubscriptions(
      db,
      accounts.map(({ account_sid }) => account_sid),
    ),
  )
  const subscriptionSids = [...currentByAccount.values()].map(
    ({ account_subscription_sid }) => account_subscription_sid,
  )
  const productsBySubscription =
    subscriptionSids.length > 0 ? await readProducts(db, subscriptionSids) : new Map<string, never>()
  return accounts.map((account) => {
    const current = currentByAccount.get(account.account_sid)
    if (!current) return { ...account, subscription: null }
    const suspendReason = current.pending ? decodeReason(current.pending_reason) : undefined
    const endsAt = toIsoTime(current.ends_at)
    const unpaidInvoice = presentUnpaidInvoice(current)
    return {
      ...account,
      subscription: {
        status: current.pending ? 'suspended' : 'active',
        ...(suspendReason ? { suspend_reason: suspendReason } : {}),
        products: productsBySubscription.get(current.account_subscription_sid) ?? [],
        next_invoice: presentNextInvoice(current),
        ...(endsAt ? { ends_at: endsAt } : {}),
        ...(unpaidInvoice ? { unpaid_invoice: unpaidInvoice } : {}),
      },
    }
  })
}

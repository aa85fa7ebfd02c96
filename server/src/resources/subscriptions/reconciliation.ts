import { randomUUID } from 'node:crypto'
import { freeQuantities, type BilledCategory, type Quantities } from '@trunkline/contract/billing/capacity'
import type { Connection } from '../../db/repository-options'
import type { Money, PaidSubscription, SubscriptionLine } from '../../ports/payment'
import type { SecretEncryption } from '../../secrets/encryption'
import { replaceSubscription } from '../../shared/replace-subscription'
import { storeSubscriptionDetails } from './subscription-details'
import {
  activateRow,
  changeReasons,
  endSubscriptionRow,
  insertWaitingSubscription,
  readOpenSubscriptions,
  setPending,
  type LocalSubscription,
} from './subscription-rows'

export interface ReconciliationContext {
  tx: Connection
  encryption: SecretEncryption
  account_sid: string
  /** What the next invoice charges. */
  nextInvoice?: Money
  /** Why a subscription ended, if the account ended it at once. */
  endReason?: string
}

/** What remains to do after the local rows were changed. */
export interface ReconciliationResult {
  /** A card that the account no longer needs. */
  unusedPaymentMethodId?: string
}

const isSame = (first: Quantities, second: Quantities) =>
  first.voice_call_session === second.voice_call_session && first.device === second.device

const readLineQuantities = async (tx: Connection, lines: readonly SubscriptionLine[]): Promise<Quantities> => {
  const products = await tx.selectFrom('products').selectAll().execute()
  const quantities: Quantities = { voice_call_session: 0, device: 0 }
  for (const { product_sid, quantity } of lines) {
    const category = products.find((product) => product.product_sid === product_sid)?.category
    if (category && category in quantities) quantities[category as BilledCategory] += quantity
  }
  return quantities
}

const endRows = async (tx: Connection, rows: readonly LocalSubscription[], reason: string) => {
  for (const { account_subscription_sid } of rows) await endSubscriptionRow(tx, account_subscription_sid, reason)
}

/** Whether a subscription has started. An upgrade may be paid and end before this server reads it. */
const wasPaid = ({ latestInvoice }: PaidSubscription): boolean =>
  latestInvoice !== undefined && (!latestInvoice.isFirst || latestInvoice.payment.state === 'succeeded')

/** Ends the paid plan of an account, which gets the free one. */
const replaceWithFreePlan = async (
  { tx, account_sid, endReason }: ReconciliationContext,
  current: LocalSubscription | undefined,
  { id, card }: PaidSubscription,
): Promise<ReconciliationResult> => {
  const isUnpaid = current?.isPending === true && !current.hasScheduledEnd
  const reason = endReason ?? (isUnpaid ? changeReasons.paymentFailed : changeReasons.downgraded)
  const { waiting } = await readOpenSubscriptions(tx, account_sid)
  await endRows(tx, [...(current ? [current] : []), ...waiting], reason)
  await replaceSubscription(tx, { account_sid, quantities: freeQuantities, reason })
  const isCurrent = current?.stripe_subscription_id === id
  await tx
    .updateTable('accounts')
    .set({ plan_type: 'free', ...(isCurrent ? {} : { is_active: 1, deactivated_reason: null }) })
    .where('account_sid', '=', account_sid)
    .execute()
  const paymentMethodId = current?.stripe_payment_method_id ?? card?.paymentMethodId
  return paymentMethodId ? { unusedPaymentMethodId: paymentMethodId } : {}
}

/** Makes the row with these quantities the current one; inserts it if it is missing. Returns its SID. */
const activate = async (
  { tx, account_sid }: ReconciliationContext,
  subscription: PaidSubscription,
  {
    quantities,
    rows,
    previous,
    reason,
  }: {
    quantities: Quantities
    rows: readonly LocalSubscription[]
    previous: LocalSubscription | undefined
    reason: string
  },
): Promise<string> => {
  const waiting = rows.find((row) => isSame(row.quantities, quantities))
  const account_subscription_sid = waiting?.account_subscription_sid ?? randomUUID()
  if (!waiting)
    await insertWaitingSubscription(tx, {
      account_subscription_sid,
      account_sid,
      quantities,
      stripe_subscription_id: subscription.id,
    })
  if (previous) await endSubscriptionRow(tx, previous.account_subscription_sid, reason)
  await activateRow(tx, account_subscription_sid)
  return account_subscription_sid
}

/** Keeps the row of the change that waits for its payment; inserts it if it is missing. Ends the other rows. */
const applyWaitingChange = async (
  { tx, account_sid }: ReconciliationContext,
  { id, pendingLines }: PaidSubscription,
  rows: readonly LocalSubscription[],
): Promise<void> => {
  const quantities = pendingLines ? await readLineQuantities(tx, pendingLines) : undefined
  const waiting = quantities && rows.find((row) => isSame(row.quantities, quantities))
  await endRows(
    tx,
    rows.filter((row) => row !== waiting),
    changeReasons.paymentFailed,
  )
  if (!quantities) return
  const account_subscription_sid = waiting?.account_subscription_sid ?? randomUUID()
  if (!waiting)
    await insertWaitingSubscription(tx, {
      account_subscription_sid,
      account_sid,
      quantities,
      stripe_subscription_id: id,
    })
  await setPending(tx, account_subscription_sid, changeReasons.paymentFailed)
}

/** An active or overdue subscription: the account has a paid plan with these quantities. */
const applyPaidPlan = async (
  context: ReconciliationContext,
  subscription: PaidSubscription,
  { current, rows }: { current: LocalSubscription | undefined; rows: readonly LocalSubscription[] },
): Promise<void> => {
  const { tx, account_sid, encryption, nextInvoice } = context
  const quantities = await readLineQuantities(tx, subscription.lines)
  const isUpgrade = current?.stripe_subscription_id !== subscription.id
  let currentSid = current?.account_subscription_sid
  if (isUpgrade || !currentSid || !isSame(current.quantities, quantities)) {
    const reason = isUpgrade ? changeReasons.upgraded : changeReasons.changed
    currentSid = await activate(context, subscription, { quantities, rows, previous: current, reason })
  }
  if (isUpgrade)
    await tx
      .updateTable('accounts')
      .set({ plan_type: 'paid', is_active: 1, deactivated_reason: null })
      .where('account_sid', '=', account_sid)
      .execute()
  await applyWaitingChange(
    context,
    subscription,
    rows.filter(({ account_subscription_sid }) => account_subscription_sid !== currentSid),
  )
  await setPending(tx, currentSid, subscription.status === 'overdue' ? changeReasons.paymentFailed : null)
  await storeSubscriptionDetails(tx, encryption, currentSid, subscription, nextInvoice)
}

/** A subscription that has ended: the account gets the free plan, unless the subscription was never paid. */
const applyEnd = async (
  context: ReconciliationContext,
  subscription: PaidSubscription,
  { current, rows }: { current: LocalSubscription | undefined; rows: readonly LocalSubscription[] },
): Promise<ReconciliationResult> => {
  const isCurrent = current?.stripe_subscription_id === subscription.id
  const isUnrecordedUpgrade = rows.length > 0 && !current?.stripe_subscription_id && wasPaid(subscription)
  if (isCurrent || isUnrecordedUpgrade) return replaceWithFreePlan(context, current, subscription)
  await endRows(context.tx, rows, changeReasons.paymentFailed)
  return {}
}

/**
 * Changes the rows of an account to the state of one of its subscriptions at the payment provider. Repeating this changes
 * nothing, so events may arrive late, twice or in any order.
 */
export const applySubscription = async (
  context: ReconciliationContext,
  subscription: PaidSubscription,
): Promise<ReconciliationResult> => {
  const { tx, account_sid } = context
  const { current, waiting } = await readOpenSubscriptions(tx, account_sid)
  const isCurrent = current?.stripe_subscription_id === subscription.id
  const rows = waiting.filter((row) => row.stripe_subscription_id === subscription.id)
  if (subscription.status === 'ended') return applyEnd(context, subscription, { current, rows })
  if (subscription.status === 'incomplete') {
    const isRefused = subscription.latestInvoice?.payment.state === 'refused'
    if (isRefused)
      for (const row of rows) await setPending(tx, row.account_subscription_sid, changeReasons.paymentFailed)
    return {}
  }
  // Another paid subscription is the current one. Its end comes first.
  if (current?.stripe_subscription_id && !isCurrent) return {}
  await applyPaidPlan(context, subscription, { current, rows })
  return {}
}

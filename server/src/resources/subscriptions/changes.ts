import { randomUUID } from 'node:crypto'
import { messages } from '@trunkline/contract/messages/subscription'
import type { SubscriptionResult } from '@trunkline/contract/shapes/subscription'
import { badRequest } from '../../http/problem'
import type { CustomerDraft, PaidSubscription } from '../../ports/payment'
import type { Billing } from './billing'
import type { Purchase } from './purchase'
import { formatDate, toChangeResult, toUpgradeResult } from './results'
import {
  changeReasons,
  endSubscriptionRow,
  insertWaitingSubscription,
  type LocalSubscription,
} from './subscription-rows'

/** Existing clients expect the status 201 for some actions, and 200 for others. */
export interface ChangeResponse {
  status: 200 | 201
  body: SubscriptionResult
}

const hasQuantities = ({ quantities }: LocalSubscription, purchase: Purchase) =>
  quantities.voice_call_session === purchase.quantities.voice_call_session &&
  quantities.device === purchase.quantities.device

type PaidLocalSubscription = LocalSubscription & { stripe_subscription_id: string }

/** The current subscription, if the payment provider bills it. Throws 400 otherwise. */
const requirePaid = (current: LocalSubscription | undefined): PaidLocalSubscription => {
  if (!current?.stripe_subscription_id) throw badRequest(messages.noSubscription)
  return { ...current, stripe_subscription_id: current.stripe_subscription_id }
}

const findById = (subscriptions: readonly PaidSubscription[], id: string): PaidSubscription => {
  const subscription = subscriptions.find((candidate) => candidate.id === id)
  if (!subscription || subscription.status === 'ended') throw badRequest(messages.noSubscription)
  return subscription
}

const getDateInOneMonth = () => {
  const date = new Date()
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()))
}

/** Returns the cost of an upgrade without making it. A Trunkline addition. */
export const previewUpgrade = async ({ payment }: Billing, purchase: Purchase): Promise<ChangeResponse> => {
  const { total, currency } = await payment.previewSubscription(purchase.lines)
  const body = {
    currency,
    prorated_cost: total,
    monthly_cost: purchase.monthlyCost,
    next_invoice_date: formatDate(getDateInOneMonth()),
  }
  return { status: 201, body }
}

/** Starts the paid plan. */
export const upgrade = (
  billing: Billing,
  customer: CustomerDraft,
  purchase: Purchase,
  paymentMethodId: string,
): Promise<ChangeResponse> => {
  const { account_sid } = customer
  return billing.withAccount(account_sid, async () => {
    // An earlier attempt may have been paid before its event arrives.
    if ((await billing.readOpen(account_sid)).waiting.length > 0) await billing.refresh(account_sid)
    const { current, waiting } = await billing.readOpen(account_sid)
    if (current?.stripe_subscription_id) {
      // A client may repeat a request whose response was lost.
      const subscription = await billing.payment.readSubscription(current.stripe_subscription_id)
      if (subscription?.status === 'active' && hasQuantities(current, purchase))
        return { status: 201, body: toUpgradeResult(subscription) }
      throw badRequest(messages.alreadyPaid)
    }
    const account_subscription_sid = randomUUID()
    const abandonedSubscriptionIds = waiting
      .map(({ stripe_subscription_id }) => stripe_subscription_id)
      .filter((id) => id !== null)
    const { lines, quantities } = purchase
    const { subscriptions } = await billing.start(
      account_sid,
      {
        action: 'upgrade',
        customer,
        account_subscription_sid,
        paymentMethodId,
        lines,
        abandonedSubscriptionIds,
      },
      async (tx) => {
        for (const row of waiting) await endSubscriptionRow(tx, row.account_subscription_sid, changeReasons.replaced)
        await insertWaitingSubscription(tx, { account_subscription_sid, account_sid, quantities })
      },
    )
    const subscription = subscriptions.find(
      (candidate) => candidate.accountSubscriptionSid === account_subscription_sid,
    )
    return { status: 201, body: toUpgradeResult(findById(subscriptions, subscription?.id ?? '')) }
  })
}

/** Returns the cost of a change of quantities without making it. */
export const previewQuantities = async (
  billing: Billing,
  account_sid: string,
  purchase: Purchase,
): Promise<ChangeResponse> => {
  const { stripe_subscription_id } = requirePaid((await billing.readOpen(account_sid)).current)
  const subscription = await billing.payment.readSubscription(stripe_subscription_id)
  if (!subscription || subscription.status === 'ended') throw badRequest(messages.noSubscription)
  checkCurrency(subscription, purchase)
  const { total, currency } = await billing.payment.previewChange(stripe_subscription_id, purchase.lines)
  const body = {
    currency,
    prorated_cost: total,
    monthly_cost: purchase.monthlyCost,
    next_invoice_date: formatDate(subscription.periodEnd),
  }
  return { status: 201, body }
}

/** The currency of a subscription cannot change. */
const checkCurrency = ({ currency }: PaidSubscription, purchase: Purchase): void => {
  if (currency !== purchase.currency) throw badRequest(messages.mixedCurrencies, 'products')
}

/** Changes the quantities of the paid plan. */
export const changeQuantities = (billing: Billing, account_sid: string, purchase: Purchase): Promise<ChangeResponse> =>
  billing.withAccount(account_sid, async () => {
    const { current, waiting } = await billing.readOpen(account_sid)
    const paid = requirePaid(current)
    const { stripe_subscription_id: subscriptionId } = paid
    // An account that has not paid for its current quantities cannot get others.
    if (paid.isPending) throw badRequest(messages.noSubscription)
    if (hasQuantities(paid, purchase)) {
      if (waiting.length > 0) await billing.start(account_sid, { action: 'drop-change', subscriptionId })
      return { status: 201, body: { status: 'success' } }
    }
    const subscription = await billing.payment.readSubscription(subscriptionId)
    if (subscription) checkCurrency(subscription, purchase)
    const account_subscription_sid = randomUUID()
    const { lines, quantities } = purchase
    const { subscriptions } = await billing.start(
      account_sid,
      { action: 'change-quantities', account_subscription_sid, subscriptionId, lines },
      async (tx) => {
        for (const row of waiting) await endSubscriptionRow(tx, row.account_subscription_sid, changeReasons.replaced)
        await insertWaitingSubscription(tx, {
          account_subscription_sid,
          account_sid,
          quantities,
          stripe_subscription_id: subscriptionId,
        })
      },
    )
    return { status: 201, body: toChangeResult(findById(subscriptions, subscriptionId)) }
  })

/** Replaces the card of an account, and pays its open invoices with the new one. */
export const changeCard = (billing: Billing, account_sid: string, paymentMethodId: string): Promise<ChangeResponse> =>
  billing.withAccount(account_sid, async () => {
    const customerId = (await billing.readAccount(account_sid))?.stripe_customer_id
    if (!customerId) throw badRequest(messages.notProvisioned(account_sid))
    const { current } = await billing.readOpen(account_sid)
    const { outcome } = await billing.start(account_sid, {
      action: 'change-card',
      customerId,
      paymentMethodId,
      subscriptionId: current?.stripe_subscription_id ?? null,
      previousPaymentMethodId: current?.stripe_payment_method_id ?? null,
    })
    const status = outcome.areInvoicesPaid ? 'success' : 'failed to pay outstanding invoices'
    return { status: 200, body: { status } }
  })

/** Ends the paid plan with its period, or at once if the period is not paid. */
export const downgrade = (billing: Billing, account_sid: string): Promise<ChangeResponse> =>
  billing.withAccount(account_sid, async () => {
    // The open invoice may have been paid before its event arrives. Then the period is not lost.
    if ((await billing.readOpen(account_sid)).current?.isPending) await billing.refresh(account_sid)
    const current = requirePaid((await billing.readOpen(account_sid)).current)
    const subscriptionId = current.stripe_subscription_id
    const { subscriptions } = await billing.start(account_sid, {
      action: current.isPending ? 'end-now' : 'schedule-end',
      subscriptionId,
    })
    const endsAt = subscriptions.find(({ id }) => id === subscriptionId)?.endsAt ?? new Date()
    return { status: 200, body: { status: 'success', effective_date: endsAt.toISOString() } }
  })

/** Cancels a scheduled downgrade. A Trunkline addition. */
export const keepPaidPlan = (billing: Billing, account_sid: string): Promise<ChangeResponse> =>
  billing.withAccount(account_sid, async () => {
    const { stripe_subscription_id: subscriptionId } = requirePaid((await billing.readOpen(account_sid)).current)
    await billing.start(account_sid, { action: 'keep', subscriptionId })
    return { status: 200, body: { status: 'success' } }
  })

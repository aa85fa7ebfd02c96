import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Quantities } from '@trunkline/contract/billing/capacity'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/payment'
import { messages as subscriptionMessages } from '@trunkline/contract/messages/subscription'
import { changeSubscription, stripeCustomer } from '@trunkline/contract/resources/subscription'
import { useState } from 'react'
import { useLeaveGuard } from '../../kit/form/leave-guard'
import { refreshAfterChange } from '../../kit/record/record'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { readOwnPlan, type OwnPlan } from '../../panels/subscription/own-plan'
import { meQuery } from '../../session/me-query'
import { toast } from '../../ui/feedback/toast'
import { toPurchasedProducts, type Offer } from './offer'
import { getPaymentErrorText, hasEndedSession, isOutcomeUnknown } from './payment-problem'
import type { CardInput } from './use-card'
import { waitForPlan } from './wait-for-plan'

/** `unknown`: the connection was lost, so the plan must be read before the user may pay again. */
export type PaymentStage = 'input' | 'paying' | 'bank' | 'checking' | 'unknown' | 'not-paid'

interface UpgradeOptions {
  accountSid: string
  offer: Offer
  quantities: Quantities | undefined
  card: CardInput
}

const isPaid = ({ state }: OwnPlan) => state === 'paid'

/** Pays for the upgrade, and finds out its result. */
export const useUpgrade = ({ accountSid, offer, quantities, card }: UpgradeOptions) => {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [stage, setStage] = useState<PaymentStage>('input')
  const isPending = stage === 'paying' || stage === 'bank' || stage === 'checking'
  const guard = useLeaveGuard(isPending, messages.leavePayment)

  const complete = async (text: string = subscriptionMessages.paid) => {
    guard.allowLeaving()
    toast.ok(text)
    // the account's screen shows the new plan at once
    await cache.refetchQueries({ queryKey: meQuery.queryKey })
    void refreshAfterChange(cache, 'account')
    await navigate({ to: paths.accounts.edit(accountSid) })
  }
  const refuse = (text: string = generalMessages.failed) => {
    setStage('input')
    card.showError(text)
  }
  /** After a lost response: reads whether the account has the paid plan now. */
  const checkOutcome = async () => {
    setStage('checking')
    const plan = await readOwnPlan().catch(() => undefined)
    if (plan && isPaid(plan)) return complete()
    setStage(plan ? 'not-paid' : 'unknown')
  }
  const confirmWithBank = async (clientSecret: string) => {
    setStage('bank')
    const error = await card.confirmPayment(clientSecret)
    if (error !== undefined) return refuse(error)
    const hasStarted = await waitForPlan(isPaid)
    await complete(hasStarted ? undefined : messages.confirmed)
  }
  const sendPayment = async (paidQuantities: Quantities, payment_method_id: string) => {
    const { stripe_customer_id } = await request(stripeCustomer, { isBackground: true })
    const products = toPurchasedProducts(offer, paidQuantities)
    const body = { action: 'upgrade-to-paid', payment_method_id, stripe_customer_id, products } as const
    return request(changeSubscription, { body, isBackground: true })
  }
  const pay = async () => {
    if (!quantities || isPending) return
    setStage('paying')
    try {
      const paymentMethodId = await card.createPaymentMethod()
      if (paymentMethodId === undefined) return setStage('input')
      const { status, client_secret, reason } = await sendPayment(quantities, paymentMethodId)
      if (status === 'success') return await complete()
      if (status === 'action required' && client_secret) return await confirmWithBank(client_secret)
      refuse(reason)
    } catch (error) {
      if (hasEndedSession(error)) return setStage('input')
      if (isOutcomeUnknown(error)) return checkOutcome()
      refuse(getPaymentErrorText(error))
    }
  }
  return { stage, isPending, pay, checkOutcome, guard }
}

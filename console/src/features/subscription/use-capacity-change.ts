import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Quantities } from '@trunkline/contract/billing/capacity'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/payment'
import { messages as subscriptionMessages } from '@trunkline/contract/messages/subscription'
import { changeSubscription } from '@trunkline/contract/resources/subscription'
import type { SubscriptionResult } from '@trunkline/contract/shapes/subscription'
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
import type { PaymentStage } from './use-upgrade'
import type { CardInput } from './use-card'
import { waitForPlan } from './wait-for-plan'

/** What a change costs, as the dry run states it. */
export interface Preview {
  quantities: Quantities
  cost: SubscriptionResult
}

const hasQuantities = (plan: OwnPlan, { voice_call_session, device }: Quantities) =>
  plan.quantities.voice_call_session === voice_call_session && plan.quantities.device === device

interface CapacityChangeOptions {
  accountSid: string
  offer: Offer
  confirmPayment: CardInput['confirmPayment']
}

/** Requests the cost of a change of quantities with a dry run. */
const useReview = (offer: Offer) => {
  const [preview, setPreview] = useState<Preview>()
  const [isReviewing, setIsReviewing] = useState(false)
  /** Why the last request failed. */
  const [error, setError] = useState<string>()
  const review = async (quantities: Quantities) => {
    setError(undefined)
    setIsReviewing(true)
    try {
      const products = toPurchasedProducts(offer, quantities)
      const body = { action: 'update-quantities', products, dry_run: true } as const
      setPreview({ quantities, cost: await request(changeSubscription, { body, isBackground: true }) })
    } catch (problem) {
      if (!hasEndedSession(problem)) setError(getPaymentErrorText(problem))
    }
    setIsReviewing(false)
  }
  return { preview, closePreview: () => setPreview(undefined), isReviewing, error, setError, review }
}

/** Reviews a change of quantities by a dry run, and applies it once the user has confirmed it. */
export const useCapacityChange = ({ accountSid, offer, confirmPayment }: CapacityChangeOptions) => {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const { preview, closePreview, isReviewing, error, setError, review } = useReview(offer)
  const [stage, setStage] = useState<PaymentStage>('input')
  /** The quantities of the last change that was sent. */
  const [sentQuantities, setSentQuantities] = useState<Quantities>()
  const [isNotGranted, setIsNotGranted] = useState(false)
  const isPending = stage === 'paying' || stage === 'bank' || stage === 'checking'
  const guard = useLeaveGuard(isPending, messages.leavePayment)

  const complete = async (text: string = subscriptionMessages.capacityChanged) => {
    guard.allowLeaving()
    toast.ok(text)
    await cache.refetchQueries({ queryKey: meQuery.queryKey })
    void refreshAfterChange(cache, 'account')
    await navigate({ to: paths.accounts.edit(accountSid) })
  }
  const stop = (text?: string) => {
    closePreview()
    setStage('input')
    setError(text)
  }
  /** The provider has not granted the change: the payment failed, or the bank has to confirm it. */
  const handleUnpaid = async (quantities: Quantities, clientSecret: string | undefined) => {
    closePreview()
    void refreshAfterChange(cache, 'account')
    if (clientSecret) {
      setStage('bank')
      const confirmationError = await confirmPayment(clientSecret)
      if (confirmationError === undefined) {
        const hasStarted = await waitForPlan((plan) => hasQuantities(plan, quantities))
        return complete(hasStarted ? undefined : messages.capacityConfirmed)
      }
    }
    setStage('input')
    setIsNotGranted(true)
  }
  const checkOutcome = async (quantities: Quantities | undefined = sentQuantities) => {
    if (!quantities) return
    closePreview()
    setStage('checking')
    const plan = await readOwnPlan().catch(() => undefined)
    if (plan && hasQuantities(plan, quantities)) return complete()
    setStage(plan ? 'not-paid' : 'unknown')
  }
  const confirm = async () => {
    if (!preview || isPending) return
    const { quantities } = preview
    setStage('paying')
    setSentQuantities(quantities)
    setIsNotGranted(false)
    try {
      const body = { action: 'update-quantities', products: toPurchasedProducts(offer, quantities) } as const
      const { status, client_secret } = await request(changeSubscription, { body, isBackground: true })
      if (status === 'success') return await complete()
      if (status === 'failed' || status === 'action required') return await handleUnpaid(quantities, client_secret)
      stop(generalMessages.failed)
      void refreshAfterChange(cache, 'account')
    } catch (problem) {
      if (hasEndedSession(problem)) return stop()
      if (isOutcomeUnknown(problem)) return checkOutcome(quantities)
      stop(getPaymentErrorText(problem))
    }
  }
  return {
    preview,
    closePreview,
    isReviewing,
    stage,
    isPending,
    error,
    isNotGranted,
    review,
    confirm,
    checkOutcome: () => checkOutcome(),
    guard,
  }
}

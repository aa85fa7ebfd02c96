import { Elements } from '@stripe/react-stripe-js'
import { useQuery } from '@tanstack/react-query'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/payment'
import { prices } from '@trunkline/contract/resources/subscription'
import { Tags } from 'lucide-react'
import { useState } from 'react'
import { request } from '../../lib/client'
import { getErrorMessage } from '../../lib/problem'
import { namedQueryKey } from '../../lib/query-keys'
import { useNextInvoice } from '../../panels/subscription/next-invoice'
import type { OwnPlan } from '../../panels/subscription/own-plan'
import { useActor } from '../../session/session'
import { EmptyState } from '../../ui/feedback/empty-state'
import { FailedState } from '../../ui/feedback/failed-state'
import { FieldSkeleton } from '../../ui/feedback/skeleton'
import { ReadOnlyNote } from '../../ui/form/read-only-note'
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { Configure } from './configure'
import { useStripeJs } from './load-stripe'
import { selectOffer } from './offer'
import { Upgrade } from './upgrade'
import { useOwnPlan } from './use-own-plan'

const usePrices = () =>
  useQuery({
    queryKey: namedQueryKey('subscription', 'prices'),
    queryFn: ({ signal }) => request(prices, { signal }),
    meta: { suppressErrorToast: true },
  })

/** The form that fits the plan, once the prices are loaded. */
const PlanForm = ({ accountSid, plan }: { accountSid: string; plan: OwnPlan }) => {
  // a successful payment changes the plan: the form stays until it has opened the next screen
  const [isPaid] = useState(plan.state === 'paid' || plan.state === 'suspended')
  const { data, error, isFetching, refetch } = usePrices()
  const stripeJs = useStripeJs(true)
  const invoice = useNextInvoice(plan)
  const title = isPaid ? messages.configureTitle : messages.upgradeTitle
  if (!data)
    return (
      <ScreenLayout title={title}>
        {error ? (
          <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
        ) : (
          <FieldSkeleton />
        )}
      </ScreenLayout>
    )
  const offer = selectOffer(data, invoice.currency)
  if (!offer)
    return (
      <ScreenLayout title={title}>
        <EmptyState icon={Tags} title={stripeJs.hasKey ? messages.noPrices : messages.cardNotSetUp} />
      </ScreenLayout>
    )
  return (
    <Elements stripe={stripeJs.stripe}>
      {isPaid ? (
        <Configure {...{ accountSid, plan, offer, invoice }} />
      ) : (
        <Upgrade {...{ accountSid, plan, offer, stripeJs }} />
      )}
    </Elements>
  )
}

/** Upgrades the user's own account to the paid plan, or changes the capacity of the paid plan. The plan decides. */
export const Subscription = ({ sid: accountSid = '' }: { sid?: string }) => {
  const { viewOnly } = useActor()
  const { plan, error, isFetching, retry } = useOwnPlan()
  if (viewOnly)
    return (
      <ScreenLayout title="Subscription">
        <ReadOnlyNote>{generalMessages.mayNotChange('Account')}</ReadOnlyNote>
      </ScreenLayout>
    )
  if (plan) return <PlanForm {...{ accountSid, plan }} />
  return (
    <ScreenLayout title="Subscription">
      {error ? <FailedState message={error} onRetry={retry} pending={isFetching} /> : <FieldSkeleton />}
    </ScreenLayout>
  )
}

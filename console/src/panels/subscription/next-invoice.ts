import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '@trunkline/contract/billing/money'
import { upcomingInvoice } from '@trunkline/contract/resources/subscription'
import { request } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { namedQueryKey } from '../../lib/query-keys'
import { formatDate } from '../../lib/time'
import type { OwnPlan } from './own-plan'

/** The next invoice of a paid plan. Not requested without card payment, nor for a plan that ends. */
export const useNextInvoice = ({ state, subscription }: Pick<OwnPlan, 'state' | 'subscription'>) => {
  const isEnabled = state === 'paid' && !subscription?.ends_at && getFeatureFlags().stripePublishableKey !== null
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: namedQueryKey('subscription', 'nextInvoice'),
    queryFn: ({ signal }) => request(upcomingInvoice, { signal }),
    enabled: isEnabled,
    refetchOnMount: 'always',
    meta: { suppressErrorToast: true },
  })
  const attempt = data?.next_payment_attempt
  const attemptAt = attempt ? new Date(attempt * 1000) : undefined
  return {
    isEnabled,
    currency: data?.currency,
    amount: data ? formatMoney(data.total, data.currency) : undefined,
    attemptAt,
    date: attemptAt ? formatDate(attemptAt.toISOString()) : undefined,
    hasFailed: isError && !data,
    isFetching,
    retry: () => void refetch(),
  }
}

export type NextInvoice = ReturnType<typeof useNextInvoice>

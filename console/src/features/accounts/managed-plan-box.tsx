import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '@trunkline/contract/billing/money'
import { getPlanState } from '@trunkline/contract/billing/plan-state'
import { messages as paymentMessages } from '@trunkline/contract/messages/payment'
import { messages } from '@trunkline/contract/messages/plan'
import { accountSubscription } from '@trunkline/contract/resources/subscription'
import type { Account } from '@trunkline/contract/shapes/account'
import type { ReactNode } from 'react'
import { PlanStatus } from '../../panels/plan-status'
import { request } from '../../lib/client'
import { namedQueryKey } from '../../lib/query-keys'
import { capabilitiesQuery, isTrunkline } from '../../lib/server-capabilities'
import { formatDate } from '../../lib/time'
import { Box, KeyValues } from '../../ui/form/box'
import { Notice } from '../../ui/notice'
import { Status } from '../../ui/status'
import { getGrantedCapacity } from './granted-capacity'
import { PlanActions } from './plan-actions'
import { getPlanEvent } from './plan-event'
import css from './managed-plan-box.module.css'

interface Fact {
  label: string
  value: ReactNode
}

const getCapacityFacts = (row: Account): Fact[] => {
  const capacity = getGrantedCapacity(row)
  return capacity
    ? [
        { label: 'Simultaneous calls', value: capacity.calls.toLocaleString('en-US') },
        { label: 'Registered devices', value: capacity.devices.toLocaleString('en-US') },
      ]
    : []
}

const getTrialFacts = (row: Account): Fact[] => {
  const state = getPlanState(row, row.subscription?.status)
  const date = formatDate(row.trial_end_date)
  if (!date || (state !== 'trial' && state !== 'trial_expired')) return []
  return [{ label: state === 'trial' ? 'Trial ends' : messages.trialEnded, value: date }]
}

/** What a paid plan costs, and when. */
const getPaymentFacts = (row: Account): Fact[] => {
  const { subscription } = row
  const event = getPlanEvent(row)
  if (row.plan_type !== 'paid' || !subscription) return []
  const invoice = subscription.next_invoice
  return [
    ...(invoice ? [{ label: 'Monthly', value: formatMoney(invoice.total, invoice.currency) }] : []),
    ...(event?.date ? [{ label: event.text, value: formatDate(event.date) }] : []),
  ]
}

const SuspendedNotice = ({ subscription }: Pick<Account, 'subscription'>) => {
  const invoice = subscription?.unpaid_invoice
  return (
    <div className={css.notice}>
      <Notice tone="bad" title={paymentMessages.suspended(subscription?.suspend_reason)}>
        {invoice
          ? paymentMessages.declinedInvoice(
              formatMoney(invoice.total, invoice.currency),
              formatDate(invoice.created_at),
            )
          : messages.waitsForPayment}
      </Notice>
    </div>
  )
}

/** The plan of an account for the provider who sells it: what it grants and costs, and why it is not active. */
export const ManagedPlanBox = ({ row: account, readOnly }: { row: Account; readOnly: boolean }) => {
  const { account_sid } = account
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const hasPlans = isTrunkline(capabilities)
  const { data } = useQuery({
    queryKey: namedQueryKey('account', 'subscription', account_sid),
    queryFn: ({ signal }) => request(accountSubscription, { params: { account_sid }, signal }),
    enabled: hasPlans,
    meta: { suppressErrorToast: true },
  })
  const row = { ...account, subscription: data?.subscription ?? null }
  const state = getPlanState(row, row.subscription?.status)
  return (
    <Box
      title="Plan"
      end={
        <>
          <PlanStatus state={state} />
          {row.is_active || state === 'trial_expired' ? null : <Status kind="off">Inactive</Status>}
        </>
      }
    >
      <KeyValues
        items={[
          ...getCapacityFacts(row),
          ...getTrialFacts(row),
          ...getPaymentFacts(row),
          ...(row.is_active ? [] : [{ label: 'Deactivated', value: row.deactivated_reason ?? messages.noReason }]),
        ]}
      />
      {state === 'suspended' ? <SuspendedNotice subscription={row.subscription} /> : null}
      {hasPlans && !readOnly && row.plan_type !== 'paid' ? <PlanActions row={row} state={state} /> : null}
    </Box>
  )
}

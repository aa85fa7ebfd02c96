import { formatMoney } from '@trunkline/contract/billing/money'
import { messages as accountMessages } from '@trunkline/contract/messages/account'
import { messages } from '@trunkline/contract/messages/payment'
import { formatDate } from '../../lib/time'
import { paths } from '../../lib/paths'
import { Link } from '../../ui/link'
import { Notice } from '../../ui/notice'
import type { OwnPlan } from './own-plan'

const describeUnpaidInvoice = ({ subscription }: OwnPlan): string => {
  const invoice = subscription?.unpaid_invoice
  if (!invoice) return messages.newCardPays
  const amount = formatMoney(invoice.total, invoice.currency)
  return `${messages.declinedInvoice(amount, formatDate(invoice.created_at))} ${messages.newCardPays}`
}

/** What the user should do about the plan: renew an expired trial, replace a card, wait for a payment. */
export const PlanNotice = ({ plan, accountSid }: { plan: OwnPlan; accountSid: string }) => {
  const { state, pending, quantities, devices, trialEndDate } = plan
  if (state === 'trial_expired')
    return (
      <Notice tone="warn" title={accountMessages.trialExpired}>
        {trialEndDate ? messages.trialEnded(formatDate(trialEndDate)) : messages.recordsKept}
      </Notice>
    )
  if (state === 'suspended')
    return (
      <Notice tone="bad" role="alert" title={messages.suspended(plan.suspendReason)}>
        {describeUnpaidInvoice(plan)}
      </Notice>
    )
  if (pending && state === 'paid')
    return (
      <Notice tone="warn" title={messages.changeWaits(pending.quantities.voice_call_session, pending.devices)}>
        {messages.planStays(quantities.voice_call_session, devices)}{' '}
        <Link href={paths.accounts.managePayment(accountSid)}>Check your card</Link>
      </Notice>
    )
  return null
}

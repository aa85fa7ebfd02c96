import { formatMoney } from '@trunkline/contract/billing/money'
import type { ReactNode } from 'react'
import { getFeatureFlags } from '../../lib/feature-flags'
import { formatDate } from '../../lib/time'
import { formatCount } from '../../ui/format-count'
import type { NextInvoice } from './next-invoice'
import { describeDevices, type OwnPlan } from './own-plan'
import css from './plan-box.module.css'

const dayMs = 86_400_000
/** From this many days before its end, a trial is marked. */
const trialWarningDays = 3

interface FactProps {
  label: string
  note?: ReactNode
  isBusy?: boolean
  children: ReactNode
}

const Fact = ({ label, note, isBusy, children }: FactProps) => (
  <div aria-busy={isBusy || undefined}>
    <dt>{label}</dt>
    <dd>
      {children}
      {note ? <small>{note}</small> : null}
    </dd>
  </div>
)

/** What is shown below a capacity: that it is suspended, what it becomes, or how it is calculated. */
const getCapacityNote = (plan: OwnPlan, waiting: number | undefined, calculation?: string): string | undefined => {
  if (plan.state === 'suspended') return 'suspended'
  if (plan.subscription?.ends_at) return `1 from ${formatDate(plan.subscription.ends_at)}`
  return waiting === undefined ? calculation : `${formatCount(waiting)} after payment`
}

const getDevicesCalculation = (plan: OwnPlan): string | undefined => {
  if (plan.state === 'free') return undefined
  return plan.quantities.device === 0
    ? `${plan.deviceToCallRatio} for each call`
    : describeDevices(plan, plan.quantities)
}

/** Whole days until the end of a trial. */
export const countTrialDays = (trialEndDate: string | null): number =>
  trialEndDate ? Math.max(0, Math.ceil((new Date(trialEndDate).getTime() - Date.now()) / dayMs)) : Infinity

export const isTrialEnding = (trialEndDate: string | null): boolean => countTrialDays(trialEndDate) <= trialWarningDays

const TrialEnd = ({ trialEndDate }: Pick<OwnPlan, 'trialEndDate'>) => {
  const { days } = getFeatureFlags().trial
  const daysLeft = countTrialDays(trialEndDate)
  if (daysLeft === Infinity) return null
  const hasMeter = daysLeft <= days
  return (
    <Fact
      label="Trial ends"
      note={
        <>
          {hasMeter ? `${daysLeft} of ${days} days left` : `${daysLeft} days left`}
          {hasMeter ? (
            <span className={css.meter} data-warn={isTrialEnding(trialEndDate) || undefined} aria-hidden="true">
              <span style={{ width: `${(daysLeft / days) * 100}%` }} />
            </span>
          ) : null}
        </>
      }
    >
      {formatDate(trialEndDate)}
    </Fact>
  )
}

const NextBilling = ({ plan, invoice }: { plan: OwnPlan; invoice: NextInvoice }) => {
  const { unpaid_invoice, ends_at } = plan.subscription ?? {}
  if (unpaid_invoice)
    return (
      <Fact label="Open invoice" note={`due since ${formatDate(unpaid_invoice.created_at)}`}>
        <span className={css.unpaid}>{formatMoney(unpaid_invoice.total, unpaid_invoice.currency)}</span>
      </Fact>
    )
  if (ends_at)
    return (
      <Fact label="Next billing" note={`free from ${formatDate(ends_at)}`}>
        <span className={css.none}>None</span>
      </Fact>
    )
  if (!invoice.isEnabled) return null
  if (invoice.hasFailed && !invoice.isFetching)
    return (
      <Fact
        label="Next billing"
        note={
          <button type="button" className={css.retry} onClick={invoice.retry}>
            Try again
          </button>
        }
      >
        <span className={css.failed}>Could not be loaded</span>
      </Fact>
    )
  if (!invoice.amount)
    return (
      <Fact label="Next billing" note="Loading" isBusy>
        <span className={css.skeleton} aria-hidden="true" />
      </Fact>
    )
  return (
    <Fact label="Next billing" note={invoice.date ? `on ${invoice.date}` : undefined}>
      {invoice.amount}
    </Fact>
  )
}

/** The capacity of the plan, and what is due next. */
export const PlanFacts = ({ plan, invoice }: { plan: OwnPlan; invoice: NextInvoice }) => (
  <dl className={css.facts}>
    <Fact label="Simultaneous calls" note={getCapacityNote(plan, plan.pending?.quantities.voice_call_session)}>
      {formatCount(plan.quantities.voice_call_session)}
    </Fact>
    <Fact label="Registered devices" note={getCapacityNote(plan, plan.pending?.devices, getDevicesCalculation(plan))}>
      {formatCount(plan.devices)}
    </Fact>
    {plan.state === 'trial' ? <TrialEnd trialEndDate={plan.trialEndDate} /> : <NextBilling {...{ plan, invoice }} />}
  </dl>
)

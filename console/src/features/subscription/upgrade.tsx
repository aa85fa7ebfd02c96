import { countAllowedDevices } from '@trunkline/contract/billing/capacity'
import { formatMoney } from '@trunkline/contract/billing/money'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/payment'
import type { FormEvent } from 'react'
import { focusFirstInvalid } from '../../kit/form/form-focus'
import { paths } from '../../lib/paths'
import { formatDate } from '../../lib/time'
import { describeDevices, type OwnPlan } from '../../panels/subscription/own-plan'
import { FormBody, SaveBar } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { formatCount } from '../../ui/format-count'
import { CardForm } from './card-form'
import type { useStripeJs } from './load-stripe'
import { totalOf, type Offer } from './offer'
import { PaymentNotice } from './payment-notice'
import { PriceLines } from './price-lines'
import { SummaryBox } from './summary-box'
import { useCard } from './use-card'
import { useQuantities } from './use-quantities'
import { useUpgrade } from './use-upgrade'
import { useUpgradeCharge } from './use-upgrade-charge'

interface UpgradeProps {
  accountSid: string
  plan: OwnPlan
  offer: Offer
  stripeJs: ReturnType<typeof useStripeJs>
}

const describePlan = ({ accountName, state, trialEndDate }: OwnPlan) => {
  const trialEnd = state === 'trial' ? formatDate(trialEndDate) : ''
  return `${accountName}${trialEnd ? `, trial until ${trialEnd}` : ''}. ${messages.paidPlanStarts}`
}

interface UpgradeSummaryProps extends Pick<UpgradeProps, 'plan' | 'offer'> {
  quantities: ReturnType<typeof useQuantities>['quantities']
  charge: ReturnType<typeof useUpgradeCharge>
}

/** What is charged today and every month, and the capacity that it brings. */
const UpgradeSummary = ({ plan, offer, quantities, charge: { charge, isLoading } }: UpgradeSummaryProps) => {
  const isExpired = plan.state === 'trial_expired'
  const devices = quantities && countAllowedDevices('paid', quantities, plan.deviceToCallRatio)
  const nextInvoiceDate = formatDate(charge?.nextInvoiceDate)
  return (
    <SummaryBox
      label="Summary"
      amount={{
        label: 'Charged today',
        value: charge ? formatMoney(charge.amount, charge.currency) : '–',
        isBusy: isLoading,
      }}
      items={
        quantities && devices !== undefined
          ? [
              { label: 'Then every month', to: formatMoney(totalOf(offer, quantities), offer.currency) },
              ...(nextInvoiceDate ? [{ label: 'Next billing', to: nextInvoiceDate }] : []),
              {
                label: 'Simultaneous calls',
                ...(isExpired ? {} : { from: formatCount(plan.quantities.voice_call_session) }),
                to: formatCount(quantities.voice_call_session),
              },
              {
                label: 'Registered devices',
                note: describeDevices(plan, quantities),
                ...(isExpired ? {} : { from: formatCount(plan.devices) }),
                to: formatCount(devices),
              },
            ]
          : []
      }
    />
  )
}

/** Upgrades a trial or free plan to the paid plan. */
export const Upgrade = ({ accountSid, plan, offer, stripeJs }: UpgradeProps) => {
  const input = useQuantities({ ...plan.quantities, device: 0 })
  const card = useCard()
  const charge = useUpgradeCharge(offer, input.quantities)
  const { stage, isPending, pay, checkOutcome, guard } = useUpgrade({
    accountSid,
    offer,
    quantities: input.quantities,
    card,
  })
  const mustCheck = stage === 'unknown' || stage === 'checking'
  const isLocked = isPending || mustCheck

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    if (mustCheck) return void checkOutcome()
    input.checkAll()
    if (!input.quantities) return focusFirstInvalid(event.currentTarget)
    void pay()
  }
  const payLabel = charge.charge
    ? `Pay ${formatMoney(charge.charge.amount, charge.charge.currency)} and upgrade`
    : 'Pay and upgrade'
  return (
    <>
      <FormBody
        title={messages.upgradeTitle}
        description={describePlan(plan)}
        onSubmit={submit}
        aside={<UpgradeSummary {...{ plan, offer, charge }} quantities={input.quantities} />}
        saveBar={
          <SaveBar
            submitLabel={mustCheck ? 'Check the payment' : payLabel}
            errorCount={card.errorCount}
            onNextError={card.focusError}
            pending={isPending}
            // the amount must not change between reading and pressing
            disabled={!mustCheck && (!card.isReady || charge.isLoading)}
            cancelPath={paths.accounts.edit(accountSid)}
          />
        }
      >
        <PaymentNotice stage={stage} />
        <PriceLines {...{ offer, input }} deviceToCallRatio={plan.deviceToCallRatio} disabled={isLocked} />
        <Section title="Payment card" help={`${messages.cardOnly} ${generalMessages.asterisk}.`}>
          <CardForm {...{ card, stripeJs }} />
        </Section>
      </FormBody>
      {guard.dialog}
    </>
  )
}

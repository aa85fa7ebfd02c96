import { billedCategories, countAllowedDevices, type Quantities } from '@trunkline/contract/billing/capacity'
import { formatMoney } from '@trunkline/contract/billing/money'
import { messages } from '@trunkline/contract/messages/payment'
import { messages as subscriptionMessages } from '@trunkline/contract/messages/subscription'
import { useState, type FormEvent } from 'react'
import { focusFirstInvalid } from '../../kit/form/form-focus'
import { paths } from '../../lib/paths'
import { formatDate } from '../../lib/time'
import { DowngradeDialog } from '../../panels/subscription/downgrade-dialog'
import { KeepPlanButton } from '../../panels/subscription/keep-plan-button'
import type { NextInvoice } from '../../panels/subscription/next-invoice'
import { describeDevices, type OwnPlan } from '../../panels/subscription/own-plan'
import { PlanNotice } from '../../panels/subscription/plan-notice'
import { CardLine } from '../../panels/subscription/saved-card'
import { Button, ButtonLink } from '../../ui/button'
import { FieldMessage } from '../../ui/form/field-message'
import { FormBody, SaveBar } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { Notice } from '../../ui/notice'
import { useUnguardedNavigate } from '../../kit/record/use-unguarded-navigate'
import { formatCount } from '../../ui/format-count'
import { ConfirmCapacity } from './confirm-capacity'
import css from './configure.module.css'
import { totalOf, type Offer } from './offer'
import { PaymentNotice } from './payment-notice'
import { PriceLines } from './price-lines'
import { SummaryBox } from './summary-box'
import { useCapacityChange } from './use-capacity-change'
import { useCard } from './use-card'
import { useQuantities } from './use-quantities'

interface ConfigureProps {
  accountSid: string
  plan: OwnPlan
  offer: Offer
  invoice: NextInvoice
}

interface ChangeSummaryProps extends Pick<ConfigureProps, 'plan' | 'offer' | 'invoice'> {
  quantities: Quantities | undefined
}

const ChangeSummary = ({ plan, offer, invoice, quantities = plan.quantities }: ChangeSummaryProps) => {
  const devices = countAllowedDevices('paid', quantities, plan.deviceToCallRatio)
  return (
    <SummaryBox
      label="After this change"
      items={[
        {
          label: 'Monthly total',
          from: formatMoney(totalOf(offer, plan.quantities), offer.currency),
          to: formatMoney(totalOf(offer, quantities), offer.currency),
        },
        {
          label: 'Simultaneous calls',
          from: formatCount(plan.quantities.voice_call_session),
          to: formatCount(quantities.voice_call_session),
        },
        {
          label: 'Registered devices',
          note: describeDevices(plan, quantities),
          from: formatCount(plan.devices),
          to: formatCount(devices),
        },
        ...(invoice.date ? [{ label: 'Next billing', to: invoice.date }] : []),
      ]}
    />
  )
}

/** Why the capacity is not what the user expects, and what to do about it. */
const ConfigureNotices = ({
  accountSid,
  plan,
  isNotGranted,
}: Pick<ConfigureProps, 'accountSid' | 'plan'> & { isNotGranted: boolean }) => {
  const endsAt = plan.subscription?.ends_at
  return (
    <div className={css.notices}>
      {isNotGranted ? (
        <Notice
          tone="bad"
          role="alert"
          action={
            <ButtonLink size="sm" href={paths.accounts.managePayment(accountSid)}>
              Manage payment
            </ButtonLink>
          }
        >
          {subscriptionMessages.capacityNotGranted}
        </Notice>
      ) : (
        <PlanNotice {...{ plan, accountSid }} />
      )}
      {endsAt ? (
        <Notice tone="warn" title={messages.paidPlanEnds(formatDate(endsAt))}>
          {messages.keepToChange}
        </Notice>
      ) : null}
    </div>
  )
}

/** The card, and the end of the paid plan. */
const PlanSections = ({ accountSid, plan, invoice }: ConfigureProps) => {
  const navigate = useUnguardedNavigate()
  const [isDowngrading, setIsDowngrading] = useState(false)
  const managePath = paths.accounts.managePayment(accountSid)
  return (
    <>
      <Section
        title="Payment card"
        actions={
          <ButtonLink size="sm" href={managePath}>
            Manage payment
          </ButtonLink>
        }
      >
        {plan.subscription?.last4 ? <CardLine {...plan.subscription} /> : null}
      </Section>
      {plan.subscription?.ends_at ? (
        <Section title="Keep the paid plan" actions={<KeepPlanButton />}>
          {null}
        </Section>
      ) : (
        <Section
          title="Downgrade to free plan"
          help={`${messages.freeCapacity}, no monthly charge.`}
          actions={
            <Button size="sm" onClick={() => setIsDowngrading(true)}>
              Downgrade
            </Button>
          }
        >
          {null}
        </Section>
      )}
      {isDowngrading ? (
        <DowngradeDialog
          {...{ plan, invoice }}
          onDowngraded={() => void navigate(paths.accounts.edit(accountSid))}
          onClose={() => setIsDowngrading(false)}
        />
      ) : null}
    </>
  )
}

const describeChanges = (count: number) => (count === 0 ? 'No changes' : count === 1 ? '1 change' : `${count} changes`)

/** Changes the capacity of a paid plan. */
export const Configure = (props: ConfigureProps) => {
  const { accountSid, plan, offer, invoice } = props
  const input = useQuantities(plan.quantities)
  const { confirmPayment } = useCard()
  const change = useCapacityChange({ accountSid, offer, confirmPayment })
  const { stage, isPending, isReviewing, preview } = change
  const { quantities } = input
  const changeCount = billedCategories.filter(
    (category) => input.valueOf(category) !== plan.quantities[category],
  ).length
  const mustCheck = stage === 'unknown' || stage === 'checking'
  const isLocked = isPending || mustCheck || plan.subscription?.ends_at !== undefined || plan.state === 'suspended'

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (mustCheck) return void change.checkOutcome()
    if (isPending || isReviewing || isLocked || changeCount === 0) return
    input.checkAll()
    if (!quantities) return focusFirstInvalid(event.currentTarget)
    void change.review(quantities)
  }
  return (
    <>
      <FormBody
        title={messages.configureTitle}
        description={`${plan.accountName}. ${messages.confirmFirst}`}
        onSubmit={submit}
        aside={<ChangeSummary {...{ plan, offer, invoice, quantities }} />}
        saveBar={
          <SaveBar
            submitLabel={mustCheck ? 'Check the payment' : 'Review changes'}
            message={change.error ? <FieldMessage>{change.error}</FieldMessage> : describeChanges(changeCount)}
            pending={isReviewing || isPending}
            disabled={!mustCheck && (isLocked || changeCount === 0)}
            cancelPath={paths.accounts.edit(accountSid)}
          />
        }
      >
        <ConfigureNotices {...{ accountSid, plan }} isNotGranted={change.isNotGranted} />
        <PaymentNotice stage={stage} />
        <PriceLines
          {...{ offer, input }}
          deviceToCallRatio={plan.deviceToCallRatio}
          current={plan.quantities}
          disabled={isLocked}
        />
        <PlanSections {...props} />
      </FormBody>
      {preview ? (
        <ConfirmCapacity
          {...{ plan, offer, preview, isPending }}
          onConfirm={() => void change.confirm()}
          onClose={change.closePreview}
        />
      ) : null}
      {change.guard.dialog}
    </>
  )
}

import { Elements } from '@stripe/react-stripe-js'
import { formatMoney } from '@trunkline/contract/billing/money'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/payment'
import { CreditCard } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { capitalize } from '../../lib/capitalize'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { formatDate } from '../../lib/time'
import { useNextInvoice } from '../../panels/subscription/next-invoice'
import type { OwnPlan } from '../../panels/subscription/own-plan'
import { PlanNotice } from '../../panels/subscription/plan-notice'
import { CardBlock } from '../../panels/subscription/saved-card'
import { useActor } from '../../session/session'
import { Button, ButtonLink } from '../../ui/button'
import { EmptyState } from '../../ui/feedback/empty-state'
import { FailedState } from '../../ui/feedback/failed-state'
import { FieldSkeleton } from '../../ui/feedback/skeleton'
import { FormBody, SaveBar } from '../../ui/form/form-layout'
import { ReadOnlyNote } from '../../ui/form/read-only-note'
import { Section } from '../../ui/form/section'
import { Notice } from '../../ui/notice'
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { CardForm } from './card-form'
import { useStripeJs } from './load-stripe'
import css from './manage-payment.module.css'
import { SummaryBox } from './summary-box'
import { useCard } from './use-card'
import { useCardChange } from './use-card-change'
import { useOwnPlan } from './use-own-plan'

interface CardScreenProps {
  accountSid: string
  plan: OwnPlan
}

/** What the card pays next: the open invoice of a suspended plan, else the next one. */
const NextPayment = ({ plan }: { plan: OwnPlan }) => {
  const invoice = useNextInvoice(plan)
  const { unpaid_invoice, statement_descriptor } = plan.subscription ?? {}
  const amount = unpaid_invoice ? formatMoney(unpaid_invoice.total, unpaid_invoice.currency) : invoice.amount
  if (!amount) return null
  const date = unpaid_invoice ? formatDate(unpaid_invoice.created_at) : invoice.date
  const label = unpaid_invoice ? 'Open invoice' : 'Next billing'
  return (
    <SummaryBox
      label={label}
      amount={{ label, value: amount }}
      items={[
        ...(date ? [{ label: unpaid_invoice ? 'Due since' : 'Date', to: date }] : []),
        ...(statement_descriptor ? [{ label: 'On the card statement', to: statement_descriptor }] : []),
      ]}
    />
  )
}

/** The saved card and, once the user asks for it, the form that replaces it. */
const CardScreen = ({ accountSid, plan, stripeJs, isChanging, onChange }: CardScreenProps & CardScreenState) => {
  const card = useCard()
  const hasOpenInvoice = plan.state === 'suspended' || plan.pending !== undefined
  const { save, isPending, openInvoiceStatus } = useCardChange({ accountSid, card, hasOpenInvoice })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  const canEnterCard = isChanging && stripeJs.hasKey
  return (
    <FormBody
      title={messages.manageTitle}
      description={messages.cardOf(plan.accountName)}
      onSubmit={submit}
      aside={<NextPayment plan={plan} />}
      saveBar={
        canEnterCard ? (
          <SaveBar
            submitLabel={messages.saveCard}
            errorCount={card.errorCount}
            onNextError={card.focusError}
            pending={isPending}
            disabled={!card.isReady}
            cancelPath={paths.accounts.edit(accountSid)}
          />
        ) : undefined
      }
    >
      <div className={css.content} data-box>
        {openInvoiceStatus ? (
          <Notice tone="bad" role="alert" title={messages.invoiceNotPaid}>
            {capitalize(openInvoiceStatus)}. {messages.tryAnotherCard}
          </Notice>
        ) : (
          <PlanNotice {...{ plan, accountSid }} />
        )}
        <CardBlock {...plan.subscription}>
          {isChanging ? null : <Button onClick={onChange}>{messages.changeCard}</Button>}
        </CardBlock>
      </div>
      {isChanging ? (
        <Section title="New card" help={messages.replacesCard}>
          <CardForm {...{ card, stripeJs }} />
        </Section>
      ) : null}
    </FormBody>
  )
}

interface CardScreenState {
  stripeJs: ReturnType<typeof useStripeJs>
  isChanging: boolean
  onChange: () => void
}

const LoadedCard = ({ accountSid, plan }: CardScreenProps) => {
  // an open invoice usually needs another card
  const [isChanging, setIsChanging] = useState(plan.state === 'suspended' || plan.pending !== undefined)
  const stripeJs = useStripeJs(isChanging)
  if (!plan.subscription?.last4)
    return (
      <ScreenLayout title={messages.manageTitle}>
        <EmptyState
          icon={CreditCard}
          title={getFeatureFlags().stripePublishableKey === null ? messages.cardNotSetUp : messages.noCard}
        >
          <ButtonLink href={paths.accounts.subscription(accountSid)}>Upgrade</ButtonLink>
        </EmptyState>
      </ScreenLayout>
    )
  return (
    <Elements stripe={stripeJs.stripe}>
      <CardScreen {...{ accountSid, plan, stripeJs, isChanging }} onChange={() => setIsChanging(true)} />
    </Elements>
  )
}

/** The card that pays the subscription of the user's own account. */
export const ManagePayment = ({ sid: accountSid = '' }: { sid?: string }) => {
  const { viewOnly } = useActor()
  const { plan, error, isFetching, retry } = useOwnPlan()
  if (plan && !viewOnly) return <LoadedCard {...{ accountSid, plan }} />
  return (
    <ScreenLayout title={messages.manageTitle}>
      {viewOnly ? (
        <ReadOnlyNote>{generalMessages.mayNotChange('Account')}</ReadOnlyNote>
      ) : error ? (
        <FailedState message={error} onRetry={retry} pending={isFetching} />
      ) : (
        <FieldSkeleton />
      )}
    </ScreenLayout>
  )
}

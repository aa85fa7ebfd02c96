import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '@trunkline/contract/billing/money'
import { freeQuantities } from '@trunkline/contract/billing/capacity'
import { messages } from '@trunkline/contract/messages/payment'
import { messages as subscriptionMessages } from '@trunkline/contract/messages/subscription'
import { changeSubscription } from '@trunkline/contract/resources/subscription'
import type { ReactNode } from 'react'
import { useRecordAction } from '../../kit/record/record-mutations'
import { request } from '../../lib/client'
import { getErrorMessage } from '../../lib/problem'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog/dialog'
import { toast } from '../../ui/feedback/toast'
import { FieldMessage } from '../../ui/form/field-message'
import { Notice } from '../../ui/notice'
import { Comparison } from './comparison'
import css from './downgrade-dialog.module.css'
import type { NextInvoice } from './next-invoice'
import type { OwnPlan } from './own-plan'

const dayMs = 86_400_000

interface DowngradeDialogProps {
  plan: OwnPlan
  invoice: NextInvoice
  onDowngraded?: () => void
  onClose: () => void
}

/** When the downgrade takes effect, as the server does it. */
const Effect = ({ isScheduled, invoice }: { isScheduled: boolean; invoice: NextInvoice }): ReactNode => {
  if (isScheduled)
    return (
      <p>
        {invoice.date ? (
          <>
            {messages.downgradeOn} <strong>{invoice.date}</strong>.
          </>
        ) : (
          messages.downgradeNextCycle
        )}{' '}
        {messages.downgradeRevocable}
      </p>
    )
  const daysLeft = invoice.attemptAt ? Math.round((invoice.attemptAt.getTime() - Date.now()) / dayMs) : 0
  return (
    <Notice tone="warn" title={messages.downgradeNow}>
      {daysLeft > 0 ? messages.downgradeEndsDaysEarly(daysLeft) : messages.downgradeEndsNow}
    </Notice>
  )
}

/** Confirms the downgrade to the free plan. Our server ends a paid plan with its billing cycle, others at once. */
export const DowngradeDialog = ({ plan, invoice, onDowngraded, onClose }: DowngradeDialogProps) => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const isScheduled = capabilities?.billing === true && plan.state === 'paid'
  const downgrade = useRecordAction('account', async () => {
    await request(changeSubscription, { body: { action: 'downgrade-to-free' } })
    // not in a callback of `mutate`: a plan that is free at once no longer has this dialog
    toast.ok(subscriptionMessages.downgraded)
  })
  const confirm = () =>
    downgrade.mutate(undefined, {
      onSuccess: () => {
        onClose()
        onDowngraded?.()
      },
    })
  const label = isScheduled ? (invoice.date ? `Downgrade on ${invoice.date}` : 'Downgrade') : 'Downgrade now'
  return (
    <Dialog
      opened
      title="Downgrade to free plan"
      role="alertdialog"
      pending={downgrade.isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={downgrade.isPending} data-autofocus>
            Cancel
          </Button>
          <Button variant="danger" pending={downgrade.isPending} disabled={!capabilities} onClick={confirm}>
            {label}
          </Button>
        </>
      }
    >
      <div className={css.body}>
        <Effect {...{ isScheduled, invoice }} />
        <Comparison
          framed
          items={[
            {
              label: 'Simultaneous calls',
              from: plan.quantities.voice_call_session.toLocaleString('en-US'),
              to: String(freeQuantities.voice_call_session),
            },
            {
              label: 'Registered devices',
              from: plan.devices.toLocaleString('en-US'),
              to: String(freeQuantities.device),
            },
            ...(invoice.amount && invoice.currency
              ? [{ label: 'Monthly cost', from: invoice.amount, to: formatMoney(0, invoice.currency) }]
              : []),
          ]}
        />
        <ul className={css.consequences}>
          <li>
            {isScheduled ? 'From that day' : 'From now on'}: {messages.freeCapacity}.
          </li>
          <li>{messages.cardRemoved}</li>
        </ul>
        {downgrade.error ? <FieldMessage>{getErrorMessage(downgrade.error)}</FieldMessage> : null}
      </div>
    </Dialog>
  )
}

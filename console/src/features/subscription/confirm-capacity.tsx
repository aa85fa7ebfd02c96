import { countAllowedDevices } from '@trunkline/contract/billing/capacity'
import { formatMoney } from '@trunkline/contract/billing/money'
import { messages } from '@trunkline/contract/messages/payment'
import { formatDate } from '../../lib/time'
import { Comparison } from '../../panels/subscription/comparison'
import type { OwnPlan } from '../../panels/subscription/own-plan'
import { describeCard } from '../../panels/subscription/saved-card'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog/dialog'
import { Notice } from '../../ui/notice'
import { formatCount } from '../../ui/format-count'
import css from './confirm-capacity.module.css'
import { totalOf, type Offer } from './offer'
import { serviceNames } from './price-lines'
import type { Preview } from './use-capacity-change'

interface ConfirmCapacityProps {
  plan: OwnPlan
  offer: Offer
  preview: Preview
  isPending: boolean
  onConfirm: () => void
  onClose: () => void
}

/** What is charged or credited. A credit is never shown as a negative amount. */
const toChargeItem = (proratedCost: number, currency: string) => ({
  label: proratedCost < 0 ? 'Credit on the next invoice' : 'Charged now',
  note: 'prorated to the rest of this billing cycle',
  to: formatMoney(Math.abs(proratedCost), currency),
  strong: true,
})

/** Confirms a new capacity, with what it costs now and per month. */
export const ConfirmCapacity = ({ plan, offer, preview, isPending, onConfirm, onClose }: ConfirmCapacityProps) => {
  const { quantities, cost } = preview
  const currency = cost.currency ?? offer.currency
  const proratedCost = cost.prorated_cost ?? 0
  const monthlyCost = cost.monthly_cost ?? totalOf(offer, quantities)
  const devices = countAllowedDevices('paid', quantities, plan.deviceToCallRatio)
  const nextInvoiceDate = formatDate(cost.next_invoice_date)
  const isLess = quantities.voice_call_session < plan.quantities.voice_call_session || devices < plan.devices
  const label = proratedCost > 0 ? `Pay ${formatMoney(proratedCost, currency)} and change` : 'Change capacity'
  return (
    <Dialog
      opened
      title="Confirm the new capacity"
      role="alertdialog"
      pending={isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={isPending} data-autofocus>
            Cancel
          </Button>
          <Button variant="primary" pending={isPending} onClick={onConfirm}>
            {label}
          </Button>
        </>
      }
    >
      <div className={css.body}>
        <p>
          {messages.changeStartsNow} {proratedCost > 0 ? messages.paysRest(describeCard(plan.subscription)) : null}
          {proratedCost < 0 ? messages.creditsRest : null}
        </p>
        <Comparison
          framed
          items={[
            ...offer.products.map(({ category }) => ({
              label: serviceNames[category],
              from: formatCount(plan.quantities[category]),
              to: formatCount(quantities[category]),
            })),
            { label: 'Registered devices', from: formatCount(plan.devices), to: formatCount(devices) },
            {
              label: 'Monthly cost',
              ...(nextInvoiceDate ? { note: `from ${nextInvoiceDate}` } : {}),
              from: formatMoney(totalOf(offer, plan.quantities), offer.currency),
              to: formatMoney(monthlyCost, currency),
            },
            toChargeItem(proratedCost, currency),
          ]}
        />
        {isLess ? <Notice tone="warn">{messages.limitsAtOnce(quantities.voice_call_session, devices)}</Notice> : null}
      </div>
    </Dialog>
  )
}

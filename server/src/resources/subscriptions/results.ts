import type { SubscriptionResult } from '@trunkline/contract/shapes/subscription'
import type { InvoicePayment, PaidSubscription } from '../../ports/payment'

/** The format that existing clients expect: `Tue Jan 01 2030`. */
export const formatDate = (date: Date): string => {
  const [weekday, day, month, year] = date.toUTCString().replace(',', '').split(' ')
  return `${weekday} ${month} ${day} ${year}`
}

/** The result of an upgrade whose payment was refused or must be confirmed. */
const toUnpaidResult = (subscription: string, payment: InvoicePayment | undefined): SubscriptionResult => {
  if (payment?.state === 'needs confirmation')
    return { status: 'action required', subscription, client_secret: payment.clientSecret }
  const { clientSecret, reason } = payment?.state === 'refused' ? payment : {}
  return {
    status: 'card error',
    subscription,
    ...(clientSecret ? { client_secret: clientSecret } : {}),
    ...(reason ? { reason } : {}),
  }
}

/** The result of an upgrade. */
export const toUpgradeResult = ({ id, status, latestInvoice, currency }: PaidSubscription): SubscriptionResult => {
  if (status === 'active')
    return {
      status: 'success',
      chargedAmount: latestInvoice?.amountPaid ?? 0,
      currency,
      ...(latestInvoice?.statementDescriptor ? { statementDescriptor: latestInvoice.statementDescriptor } : {}),
    }
  return toUnpaidResult(id, latestInvoice?.payment)
}

/** The result of a change of quantities. If the bank has to confirm the payment, a client can do that with the secret. */
export const toChangeResult = ({ id, pendingLines, latestInvoice }: PaidSubscription): SubscriptionResult => {
  if (!pendingLines) return { status: 'success' }
  const payment = latestInvoice?.payment
  return {
    status: 'failed',
    reason: 'payment required',
    ...(payment?.state === 'needs confirmation' ? { subscription: id, client_secret: payment.clientSecret } : {}),
  }
}

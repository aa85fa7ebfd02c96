import type { Connection } from '../../db/repository-options'
import type { Card, Money, PaidInvoice, PaidSubscription } from '../../ports/payment'
import type { SecretEncryption } from '../../secrets/encryption'

const toCardColumns = (encryption: SecretEncryption, card: Card) => ({
  stripe_payment_method_id: card.paymentMethodId,
  last4: encryption.encrypt(card.last4),
  exp_month: card.exp_month,
  exp_year: card.exp_year,
  card_type: card.brand.slice(0, 16),
})

const toNextInvoiceColumns = ({ total, currency }: Money, date: Date) => ({
  next_total: total,
  next_currency: currency,
  next_at: date.getTime(),
})

const toUnpaidColumns = ({ total, currency, createdAt }: PaidInvoice) => ({
  unpaid_total: total,
  unpaid_currency: currency,
  unpaid_created_at: createdAt.getTime(),
})

/** Stores what the payment provider knows about the current subscription: card, invoices and the scheduled end. */
export const storeSubscriptionDetails = async (
  tx: Connection,
  encryption: SecretEncryption,
  account_subscription_sid: string,
  subscription: PaidSubscription,
  nextInvoice: Money | undefined,
): Promise<void> => {
  const { id, card, latestInvoice, endsAt, periodEnd, status } = subscription
  await tx
    .updateTable('account_subscriptions')
    .set({
      stripe_subscription_id: id,
      ...(latestInvoice?.statementDescriptor ? { stripe_statement_descriptor: latestInvoice.statementDescriptor } : {}),
      ...(card ? toCardColumns(encryption, card) : {}),
    })
    .where('account_subscription_sid', '=', account_subscription_sid)
    .execute()
  await tx
    .deleteFrom('trunkline_subscription_details')
    .where('account_subscription_sid', '=', account_subscription_sid)
    .execute()
  await tx
    .insertInto('trunkline_subscription_details')
    .values({
      account_subscription_sid,
      ends_at: endsAt?.getTime() ?? null,
      ...(nextInvoice ? toNextInvoiceColumns(nextInvoice, periodEnd) : {}),
      ...(status === 'overdue' && latestInvoice?.isOpen ? toUnpaidColumns(latestInvoice) : {}),
    })
    .execute()
}

import { messages } from '@trunkline/contract/messages/subscription'
import type { Connection } from '../../db/repository-options'
import { PaymentRefusedError, type CustomerDraft, type PaymentProvider } from '../../ports/payment'
import type { Operation } from './operations'
import { setStripeSubscription } from './subscription-rows'

/** What an operation returns to its request. */
export interface OperationOutcome {
  /** After a change of the card. */
  areInvoicesPaid?: boolean
}

/** The customer of an account, who is created if necessary. */
const ensureCustomer = async (
  db: Connection,
  payment: PaymentProvider,
  draft: CustomerDraft,
  key: string,
): Promise<string> => {
  const { account_sid } = draft
  const row = await db
    .selectFrom('accounts')
    .select('stripe_customer_id')
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()
  if (row?.stripe_customer_id && (await payment.hasCustomer(row.stripe_customer_id))) return row.stripe_customer_id
  const stripe_customer_id = await payment.createCustomer(draft, key)
  await db.updateTable('accounts').set({ stripe_customer_id }).where('account_sid', '=', account_sid).execute()
  return stripe_customer_id
}

/** Sends the requests of operations to the payment provider. A repeated operation repeats its requests with the same keys. */
export const createOperationSteps = (db: Connection, payment: PaymentProvider) => {
  /** Throws a refusal if the subscription was paid in the meantime: the account must not pay a second one. */
  const endAbandonedSubscription = async (id: string, key: string): Promise<void> => {
    const status = (await payment.readSubscription(id))?.status
    if (status === 'active' || status === 'overdue') throw new PaymentRefusedError(messages.alreadyPaid)
    if (status === 'incomplete') await payment.endSubscription(id, key)
  }

  const startSubscription = async (operation: Operation & { action: 'upgrade' }): Promise<void> => {
    const { operation_sid: key, account_sid, account_subscription_sid, lines } = operation
    for (const id of operation.abandonedSubscriptionIds) await endAbandonedSubscription(id, `${key}-${id}`)
    const customerId = await ensureCustomer(db, payment, operation.customer, key)
    const paymentMethodId = await payment.attachCard(customerId, operation.paymentMethodId, key)
    const draft = { customerId, account_sid, account_subscription_sid, paymentMethodId, lines }
    await setStripeSubscription(db, account_subscription_sid, await payment.createSubscription(draft, key))
  }

  const changeCard = async (operation: Operation & { action: 'change-card' }): Promise<OperationOutcome> => {
    const { operation_sid: key, customerId, subscriptionId, previousPaymentMethodId } = operation
    const paymentMethodId = await payment.attachCard(customerId, operation.paymentMethodId, key)
    if (subscriptionId) await payment.setCard(subscriptionId, paymentMethodId, key)
    if (previousPaymentMethodId && previousPaymentMethodId !== paymentMethodId)
      await payment.detachCard(previousPaymentMethodId, key)
    return { areInvoicesPaid: await payment.payOpenInvoices(customerId, key) }
  }

  const removeCustomer = async (account_sid: string, customerId: string, key: string): Promise<void> => {
    await payment.removeCustomer(customerId, key)
    await db
      .updateTable('accounts')
      .set({ stripe_customer_id: null })
      .where('account_sid', '=', account_sid)
      .where('stripe_customer_id', '=', customerId)
      .execute()
  }

  return {
    async run(operation: Operation): Promise<OperationOutcome> {
      const { operation_sid: key, account_sid } = operation
      switch (operation.action) {
        case 'create-customer':
          await ensureCustomer(db, payment, operation.customer, key)
          return {}
        case 'upgrade':
          await startSubscription(operation)
          return {}
        case 'change-quantities':
          await payment.changeQuantities(operation.subscriptionId, operation.lines, key)
          return {}
        case 'change-card':
          return changeCard(operation)
        case 'schedule-end':
        case 'keep':
          await payment.setEndsWithPeriod(operation.subscriptionId, operation.action === 'schedule-end', key)
          return {}
        case 'end-now':
          await payment.endSubscription(operation.subscriptionId, key)
          return {}
        case 'drop-change':
          await payment.dropPendingChange(operation.subscriptionId, key)
          return {}
        case 'detach-card':
          await payment.detachCard(operation.paymentMethodId, key)
          return {}
        case 'remove-customer':
          await removeCustomer(account_sid, operation.customerId, key)
          return {}
      }
    },

    /** For an operation whose account was deleted: removes the customer that it created or would have created. */
    async undo(operation: Operation): Promise<void> {
      const { operation_sid: key, account_sid } = operation
      if (operation.action === 'remove-customer') await removeCustomer(account_sid, operation.customerId, key)
      else if (operation.action === 'upgrade' || operation.action === 'create-customer')
        await payment.removeCustomer(await payment.createCustomer(operation.customer, key), key)
    },
  }
}

export type OperationSteps = ReturnType<typeof createOperationSteps>

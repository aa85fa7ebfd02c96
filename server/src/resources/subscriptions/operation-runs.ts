import { withTransaction } from '../../db/transaction'
import type { PaidSubscription } from '../../ports/payment'
import type { OperationOutcome } from './operation-steps'
import type { Operation } from './operations'
import { changeReasons, endSubscriptionRow, setStripeSubscription } from './subscription-rows'
import { isRefusal, synchronize, type BillingContext } from './synchronization'

/** After this time, an interrupted operation that charges a card is not repeated: the customer no longer expects it. */
const maxChargeDelayMs = 3_600_000

const chargingActions: ReadonlySet<string> = new Set(['upgrade', 'change-quantities', 'change-card'])

export const readAccount = ({ store }: Pick<BillingContext, 'store'>, account_sid: string) =>
  store.database.db
    .selectFrom('accounts')
    .select(['account_sid', 'name', 'stripe_customer_id'])
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()

const fail = ({ store, operations }: BillingContext, operation: Operation): Promise<void> =>
  withTransaction(store.database.db, async (tx) => {
    if ('account_subscription_sid' in operation)
      await endSubscriptionRow(tx, operation.account_subscription_sid, changeReasons.paymentFailed)
    await operations.finish(tx, operation.operation_sid, 'failed')
  })

/** Runs a stored operation. If the outcome is unknown, it stays stored for a repair. */
export const runOperation = async (
  context: BillingContext,
  operation: Operation,
): Promise<{ outcome: OperationOutcome; subscriptions: PaidSubscription[] }> => {
  let outcome: OperationOutcome
  try {
    outcome = await context.steps.run(operation)
  } catch (error) {
    if (isRefusal(error)) {
      await fail(context, operation)
      // The reason may be that an earlier attempt was paid in the meantime.
      if (operation.action === 'upgrade')
        await synchronize(context, operation.account_sid, { subscriptionIds: operation.abandonedSubscriptionIds })
    }
    throw error
  }
  return { outcome, subscriptions: await synchronize(context, operation.account_sid, { operation }) }
}

/** Completes an operation that is too old to charge a card: checks whether the charge was made, and repeats nothing. */
const settleExpiredCharge = async (context: BillingContext, operation: Operation): Promise<void> => {
  const { store, operations, payment } = context
  const { db } = store.database
  const customerId = (await readAccount(context, operation.account_sid))?.stripe_customer_id
  if (operation.action !== 'upgrade') return operations.finish(db, operation.operation_sid, 'done')
  const { account_subscription_sid } = operation
  const subscriptionId = customerId ? await payment.findSubscription(customerId, account_subscription_sid) : undefined
  if (!subscriptionId) return fail(context, operation)
  await setStripeSubscription(db, account_subscription_sid, subscriptionId)
  await operations.finish(db, operation.operation_sid, 'done')
}

const repair = async (context: BillingContext, operation: Operation): Promise<void> => {
  const { store, operations, steps, clock } = context
  if (!(await readAccount(context, operation.account_sid))) {
    await steps.undo(operation)
    return operations.finish(store.database.db, operation.operation_sid, 'done')
  }
  if (chargingActions.has(operation.action) && clock() - operation.createdAt > maxChargeDelayMs)
    return settleExpiredCharge(context, operation)
  try {
    await runOperation(context, operation)
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

/** Completes the operations of an account that a crash or an outage interrupted. */
export const repairAccount = async (context: BillingContext, account_sid: string): Promise<void> => {
  const { store, operations } = context
  for (const operation of await operations.listStarted(store.database.db, account_sid)) await repair(context, operation)
}

import { classifyDatabaseError } from '../../db/errors'
import type { Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import {
  CardDeclinedError,
  PaymentRefusedError,
  type PaidSubscription,
  type PaymentEvent,
  type PaymentProvider,
} from '../../ports/payment'
import { UnavailableError } from '../../ports/service-errors'
import type { SecretEncryption } from '../../secrets/encryption'
import type { OperationSteps } from './operation-steps'
import type { Operation, Operations } from './operations'
import type { NotifyOfFailedPayment } from './payment-notices'
import { applySubscription } from './reconciliation'
import { changeReasons, endSubscriptionRow, readOpenSubscriptions } from './subscription-rows'

/** What changes of subscriptions need. */
export interface BillingContext {
  store: Store
  encryption: SecretEncryption
  payment: PaymentProvider
  operations: Operations
  steps: OperationSteps
  notifyOfFailedPayment: NotifyOfFailedPayment
  clock: () => number
}

/** Why the rows of an account are compared with the provider. */
interface Cause {
  operation?: Operation
  event?: PaymentEvent
  /** Subscriptions that may belong to no open row. */
  subscriptionIds?: readonly string[]
}

/** A subscription that the provider no longer knows. */
const describeEnded = (id: string): PaidSubscription => ({
  id,
  status: 'ended',
  lines: [],
  currency: '',
  periodEnd: new Date(0),
})

/** Whether the provider has refused a request. Otherwise its outcome is unknown. */
export const isRefusal = (error: unknown) => error instanceof CardDeclinedError || error instanceof PaymentRefusedError

/** Ends upgrades that never reached the provider. */
const endLostUpgrades = async (tx: Connection, account_sid: string): Promise<void> => {
  for (const row of (await readOpenSubscriptions(tx, account_sid)).waiting)
    if (!row.stripe_subscription_id)
      await endSubscriptionRow(tx, row.account_subscription_sid, changeReasons.paymentFailed)
}

/** Stores that an event was handled. Returns false if it was handled before. */
const recordEvent = async (tx: Connection, event_id: string, received_at: number): Promise<boolean> => {
  try {
    await tx.insertInto('trunkline_stripe_events').values({ event_id, received_at }).execute()
    return true
  } catch (error) {
    if (classifyDatabaseError(error)?.kind === 'duplicate') return false
    throw error
  }
}

const previewInvoices = async (payment: PaymentProvider, subscriptions: readonly PaidSubscription[]) => {
  const invoices = new Map<string, Awaited<ReturnType<PaymentProvider['previewNextInvoice']>>>()
  for (const { id, status, endsAt } of subscriptions)
    if (status === 'active' && !endsAt) invoices.set(id, await payment.previewNextInvoice(id))
  return invoices
}

/** Reads the subscriptions that concern an account: those of its rows, and that of the operation or the event. */
const readSubscriptions = async (
  { store, payment }: BillingContext,
  account_sid: string,
  { operation, event, subscriptionIds = [] }: Cause,
): Promise<PaidSubscription[]> => {
  const { current, waiting } = await readOpenSubscriptions(store.database.db, account_sid)
  const ids = new Set(
    [
      ...[current, ...waiting].map((row) => row?.stripe_subscription_id),
      operation && 'subscriptionId' in operation ? operation.subscriptionId : undefined,
      event?.subscriptionId,
      ...subscriptionIds,
    ].filter((id) => typeof id === 'string'),
  )
  const subscriptions: PaidSubscription[] = []
  for (const id of ids) subscriptions.push((await payment.readSubscription(id)) ?? describeEnded(id))
  return subscriptions
}

/** Runs an operation that no request waits for. If the provider does not respond, the next repair runs it. */
export const runFollowUp = async (
  { store, steps, operations }: BillingContext,
  operation: Operation,
): Promise<void> => {
  const { db } = store.database
  try {
    await steps.run(operation)
    await operations.finish(db, operation.operation_sid, 'done')
  } catch (error) {
    if (isRefusal(error)) return operations.finish(db, operation.operation_sid, 'failed')
    if (!(error instanceof UnavailableError)) throw error
  }
}

/** Sets the rows of an account to what the provider knows. Call it while the account is reserved. */
export const synchronize = async (
  context: BillingContext,
  account_sid: string,
  cause: Cause = {},
): Promise<PaidSubscription[]> => {
  const { store, encryption, payment, operations, clock } = context
  const { operation, event } = cause
  const subscriptions = await readSubscriptions(context, account_sid, cause)
  const invoices = await previewInvoices(payment, subscriptions)
  const endReason = operation?.action === 'end-now' ? { endReason: changeReasons.downgraded } : {}
  const { followUps, suspendedId } = await withTransaction(store.database.db, async (tx) => {
    if (event && !(await recordEvent(tx, event.id, clock()))) return { followUps: [] }
    const { current: previous } = await readOpenSubscriptions(tx, account_sid)
    const started: Operation[] = []
    for (const subscription of subscriptions) {
      const nextInvoice = invoices.get(subscription.id)
      const { unusedPaymentMethodId } = await applySubscription(
        { tx, encryption, account_sid, ...(nextInvoice ? { nextInvoice } : {}), ...endReason },
        subscription,
      )
      if (unusedPaymentMethodId)
        started.push(
          await operations.insert(tx, account_sid, { action: 'detach-card', paymentMethodId: unusedPaymentMethodId }),
        )
    }
    await endLostUpgrades(tx, account_sid)
    if (operation) await operations.finish(tx, operation.operation_sid, 'done')
    const { current } = await readOpenSubscriptions(tx, account_sid)
    const isSuspended = current?.isPending === true && current.stripe_subscription_id !== null
    const suspendedId = isSuspended && !previous?.isPending ? current.stripe_subscription_id : undefined
    return { followUps: started, suspendedId }
  })
  for (const followUp of followUps) await runFollowUp(context, followUp)
  if (suspendedId)
    context.notifyOfFailedPayment(
      account_sid,
      subscriptions.find(({ id }) => id === suspendedId),
    )
  return subscriptions
}

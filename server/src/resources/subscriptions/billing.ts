import { messages } from '@trunkline/contract/messages/subscription'
import { LeaseHeldError, type WithLease } from '../../db/leases'
import type { Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import type { PaymentEvent, PaymentProvider } from '../../ports/payment'
import { UnavailableError } from '../../ports/service-errors'
import type { SecretEncryption } from '../../secrets/encryption'
import { createBillingTasks, type WithAccountLease } from './billing-tasks'
import { readAccount, repairAccount, runOperation } from './operation-runs'
import { createOperationSteps } from './operation-steps'
import { createOperationRepository, type Operation, type OperationRequest } from './operations'
import type { NotifyOfFailedPayment } from './payment-notices'
import { createPriceList } from './price-list'
import { readOpenSubscriptions } from './subscription-rows'
import { runFollowUp, synchronize, type BillingContext } from './synchronization'

/** How long a request waits for another change of the same account. */
const requestWaitMs = 20_000

interface BillingOptions {
  store: Store
  encryption: SecretEncryption
  payment: PaymentProvider
  withLease: WithLease
  notifyOfFailedPayment: NotifyOfFailedPayment
  logError: (message: string) => void
  clock?: () => number
}

const createAccountLease =
  (withLease: WithLease): WithAccountLease =>
  async (account_sid, work, waitMs = requestWaitMs) => {
    try {
      return await withLease(`billing ${account_sid}`, waitMs, work)
    } catch (error) {
      if (error instanceof LeaseHeldError) throw new UnavailableError(messages.busy, { cause: error })
      throw error
    }
  }

const isHandled = async (db: Connection, { id }: PaymentEvent): Promise<boolean> => {
  const row = await db
    .selectFrom('trunkline_stripe_events')
    .select('event_id')
    .where('event_id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Changes the subscriptions of accounts. A change is stored as an operation before it is sent to the payment provider.
 * Then the local rows are set to the subscription as read from the provider: responses and events can be out of date.
 */
export const createBilling = ({
  store,
  encryption,
  payment,
  withLease,
  notifyOfFailedPayment,
  logError,
  clock = Date.now,
}: BillingOptions) => {
  const { db } = store.database
  const operations = createOperationRepository(clock)
  const steps = createOperationSteps(db, payment)
  const priceList = createPriceList({ db, payment, logError, clock })
  const context: BillingContext = { store, encryption, payment, operations, steps, notifyOfFailedPayment, clock }
  const withAccountLease = createAccountLease(withLease)

  return {
    payment,
    priceList,
    readAccount: (account_sid: string) => readAccount(context, account_sid),
    readOpen: (account_sid: string) => readOpenSubscriptions(db, account_sid),

    /** Completes interrupted operations of the account, then runs `work` while no other change of the account runs. */
    withAccount: <Result>(account_sid: string, work: () => Promise<Result>): Promise<Result> =>
      withAccountLease(account_sid, async () => {
        await repairAccount(context, account_sid)
        return work()
      }),

    /** Sets the rows of an account to the subscription as read from the provider now. Call it in `withAccount`. */
    refresh: async (account_sid: string): Promise<void> => void (await synchronize(context, account_sid)),

    /** Stores an operation together with the rows that `prepare` writes, and runs it. Call it in `withAccount`. */
    async start(account_sid: string, request: OperationRequest, prepare?: (tx: Connection) => Promise<void>) {
      const operation = await withTransaction(db, async (tx) => {
        await prepare?.(tx)
        return operations.insert(tx, account_sid, request)
      })
      return runOperation(context, operation)
    },

    /** Handles an event of the provider once. */
    async handleEvent(account_sid: string, event: PaymentEvent): Promise<void> {
      if (await isHandled(db, event)) return
      await withAccountLease(account_sid, async () => {
        await repairAccount(context, account_sid)
        await synchronize(context, account_sid, { event })
      })
    },

    /**
     * Removes an account with what is billed for it. `removeRows` deletes the account and calls the function that it
     * receives in the same transaction.
     */
    async removeAccount(account_sid: string, removeRows: (record: (tx: Connection) => Promise<void>) => Promise<void>) {
      await withAccountLease(account_sid, async () => {
        const stripe_customer_id = (await readAccount(context, account_sid))?.stripe_customer_id
        let removal: Operation | undefined
        await removeRows(async (tx) => {
          removal = stripe_customer_id
            ? await operations.insert(tx, account_sid, { action: 'remove-customer', customerId: stripe_customer_id })
            : undefined
        })
        if (removal) await runFollowUp(context, removal)
      })
    },

    /** Logs the prices that cannot be sold. */
    checkPrices: () => priceList.check(),

    ...createBillingTasks(context, withAccountLease, { withLease, logError }),
  }
}

export type Billing = ReturnType<typeof createBilling>

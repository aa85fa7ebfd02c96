import { randomUUID } from 'node:crypto'
import type { Connection } from '../../db/repository-options'
import type { CustomerDraft, SubscriptionLine } from '../../ports/payment'

/** A change at the payment provider, with everything that a repetition needs. */
export type OperationRequest =
  | {
      action: 'create-customer'
      customer: CustomerDraft
    }
  | {
      action: 'upgrade'
      customer: CustomerDraft
      account_subscription_sid: string
      paymentMethodId: string
      lines: SubscriptionLine[]
      /** Subscriptions of earlier attempts that still wait for their first payment. */
      abandonedSubscriptionIds: string[]
    }
  | { action: 'change-quantities'; account_subscription_sid: string; subscriptionId: string; lines: SubscriptionLine[] }
  | {
      action: 'change-card'
      customerId: string
      paymentMethodId: string
      subscriptionId: string | null
      previousPaymentMethodId: string | null
    }
  | { action: 'schedule-end' | 'keep' | 'end-now' | 'drop-change'; subscriptionId: string }
  | { action: 'detach-card'; paymentMethodId: string }
  | { action: 'remove-customer'; customerId: string }

export type Operation = OperationRequest & { operation_sid: string; account_sid: string; createdAt: number }

/** How long finished operations are kept, for support. */
const retentionMs = 30 * 24 * 60 * 60 * 1000

/** Stores operations, so that one that a crash interrupts is repeated. */
export const createOperationRepository = (clock: () => number = Date.now) => ({
  async insert(tx: Connection, account_sid: string, { action, ...request }: OperationRequest): Promise<Operation> {
    const operation_sid = randomUUID()
    const created_at = clock()
    await tx
      .insertInto('trunkline_payment_operations')
      .values({ operation_sid, account_sid, action, state: 'started', request: JSON.stringify(request), created_at })
      .execute()
    return { action, ...request, operation_sid, account_sid, createdAt: created_at } as Operation
  },

  async finish(tx: Connection, operation_sid: string, state: 'done' | 'failed'): Promise<void> {
    await tx
      .updateTable('trunkline_payment_operations')
      .set({ state })
      .where('operation_sid', '=', operation_sid)
      .execute()
  },

  /** The operations of an account that are not finished, oldest first. */
  async listStarted(db: Connection, account_sid: string): Promise<Operation[]> {
    const rows = await db
      .selectFrom('trunkline_payment_operations')
      .selectAll()
      .where('account_sid', '=', account_sid)
      .where('state', '=', 'started')
      .orderBy('created_at')
      .orderBy('operation_sid')
      .execute()
    return rows.map(
      ({ request, action, operation_sid, created_at }) =>
        ({
          ...(JSON.parse(request) as object),
          action,
          operation_sid,
          account_sid,
          createdAt: Number(created_at),
        }) as Operation,
    )
  },

  /** The accounts with unfinished operations. */
  async listAccounts(db: Connection): Promise<string[]> {
    const rows = await db
      .selectFrom('trunkline_payment_operations')
      .select('account_sid')
      .distinct()
      .where('state', '=', 'started')
      .execute()
    return rows.map(({ account_sid }) => account_sid)
  },

  async prune(db: Connection): Promise<void> {
    await db
      .deleteFrom('trunkline_payment_operations')
      .where('state', '<>', 'started')
      .where('created_at', '<', clock() - retentionMs)
      .execute()
  },
})

export type Operations = ReturnType<typeof createOperationRepository>

import { LeaseHeldError, type WithLease } from '../../db/leases'
import { UnavailableError } from '../../ports/service-errors'
import { repairAccount } from './operation-runs'
import { synchronize, type BillingContext } from './synchronization'

const eventRetentionMs = 30 * 24 * 3_600_000

/** Runs `work` while no other change of the account runs. `waitMs`: how long to wait for one. */
export type WithAccountLease = <Result>(
  account_sid: string,
  work: () => Promise<Result>,
  waitMs?: number,
) => Promise<Result>

/** Runs `work` for each account. The failure of one account does not prevent the others. */
const forEachAccount = async (
  accountSids: readonly string[],
  { signal, logError }: { signal: AbortSignal; logError: (message: string) => void },
  work: (account_sid: string) => Promise<unknown>,
): Promise<void> => {
  for (const account_sid of accountSids) {
    if (signal.aborted) return
    await work(account_sid).catch((error: unknown) => {
      // The next round tries it again.
      if (error instanceof UnavailableError) return
      logError(`The subscription of account ${account_sid} could not be compared: ${String(error)}`)
    })
  }
}

/** Does nothing if another server does the same work. */
const runOnOneServer = async (withLease: WithLease, name: string, work: () => Promise<void>): Promise<void> => {
  try {
    await withLease(name, 0, work)
  } catch (error) {
    if (!(error instanceof LeaseHeldError)) throw error
  }
}

/** The tasks of the background jobs. */
export const createBillingTasks = (
  context: BillingContext,
  withAccountLease: WithAccountLease,
  { withLease, logError }: { withLease: WithLease; logError: (message: string) => void },
) => {
  const { store, operations, clock } = context
  const { db } = store.database
  return {
    /** Completes interrupted operations, of accounts that no request is changing. */
    repairAll: (signal: AbortSignal): Promise<void> =>
      runOnOneServer(withLease, 'billing repair', async () =>
        forEachAccount(await operations.listAccounts(db), { signal, logError }, (account_sid) =>
          withAccountLease(account_sid, () => repairAccount(context, account_sid), 0),
        ),
      ),

    /** Compares every account that pays with the provider, because an event may be lost. */
    reconcileAll: (signal: AbortSignal): Promise<void> =>
      runOnOneServer(withLease, 'billing reconciliation', async () => {
        const rows = await db
          .selectFrom('account_subscriptions')
          .select('account_sid')
          .distinct()
          .where('effective_end_date', 'is', null)
          .where('stripe_subscription_id', 'is not', null)
          .execute()
        const accountSids = rows.map(({ account_sid }) => account_sid)
        await forEachAccount(accountSids, { signal, logError }, (account_sid) =>
          withAccountLease(account_sid, async () => {
            await repairAccount(context, account_sid)
            await synchronize(context, account_sid)
          }),
        )
      }),

    async prune(): Promise<void> {
      await operations.prune(db)
      await db
        .deleteFrom('trunkline_stripe_events')
        .where('received_at', '<', clock() - eventRetentionMs)
        .execute()
    },
  }
}

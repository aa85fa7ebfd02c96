import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { isDeadlock, isLockTimeout } from './errors'
import type { Tables } from './schema'

const maxDeadlockRetries = 8
/** A lock timeout takes seconds, so one retry is enough. */
const maxLockTimeoutRetries = 1
const firstDelayMs = 10
const maxDelayMs = 400

/** Full jitter: two transactions that collided must not retry at the same time. */
const computeRetryDelayMs = (retry: number): number => Math.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** retry)

/**
 * Repeats a whole transaction after a deadlock or a lock timeout. The database has rolled back the attempt, so repeating it
 * is safe.
 */
export const retryDeadlocks = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let deadlocks = 0, lockTimeouts = 0; ;) {
    try {
      return await attempt()
    } catch (error) {
      if (isDeadlock(error) && deadlocks < maxDeadlockRetries) deadlocks += 1
      else if (isLockTimeout(error) && lockTimeouts < maxLockTimeoutRetries) lockTimeouts += 1
      else throw error
      await delay(computeRetryDelayMs(deadlocks + lockTimeouts))
    }
  }
}

/**
 * Runs `work` in one transaction. After a deadlock it runs again from the start, so it must not change anything outside of
 * the transaction.
 */
export const withTransaction = <T>(db: Kysely<Tables>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> =>
  retryDeadlocks(() => db.transaction().execute(work))

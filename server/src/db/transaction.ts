import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { isDeadlock, isLockTimeout } from './errors'
import type { Tables } from './schema'

const maxDeadlockRetries = 8
/** A statement has already waited for seconds when its lock times out, so a second chance is enough. */
const maxLockTimeoutRetries = 1
const firstDelayMs = 10
const maxDelayMs = 400

/** Full jitter: two transactions that collided must not meet again at the same moment. */
const delayMs = (retry: number): number => Math.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** retry)

/**
 * Runs a whole transaction again when the database has rolled it back because of a deadlock or because a lock did not
 * become free. Everything that the attempt did is undone by then, so running it again is safe.
 */
export const retryDeadlocks = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let deadlocks = 0, lockTimeouts = 0; ;) {
    try {
      return await attempt()
    } catch (error) {
      if (isDeadlock(error) && deadlocks < maxDeadlockRetries) deadlocks += 1
      else if (isLockTimeout(error) && lockTimeouts < maxLockTimeoutRetries) lockTimeouts += 1
      else throw error
      await delay(delayMs(deadlocks + lockTimeouts))
    }
  }
}

/**
 * Runs the work in one transaction: all of it or nothing. After a deadlock the work is called again from the start, so
 * it must not change anything outside of the transaction.
 */
export const withTransaction = <T>(db: Kysely<Tables>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> =>
  retryDeadlocks(() => db.transaction().execute(work))

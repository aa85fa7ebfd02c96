import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from './database'
import { classifyDatabaseError } from './errors'

/** A lease expires if its server crashes and stops renewing it. */
const lifetimeMs = 15_000
const renewalIntervalMs = 5_000
const pollIntervalMs = 50

/** Another server or request holds the lease. */
export class LeaseHeldError extends Error {
  override readonly name = 'LeaseHeldError'
}

/**
 * Creates leases in the database: work under the same name runs one at a time, on all servers of an installation. A lease
 * is not a transaction, so the work may wait for another service.
 */
export const createLeases = ({ db, engine }: Pick<Database, 'db' | 'engine'>, clock: () => number = Date.now) => {
  const server = randomUUID()

  const deleteUnused = (name: string) => {
    const leases = db.deleteFrom('trunkline_leases').where('name', '=', name)
    // Only one process uses a SQLite file, so a lease of another one is that of a process that crashed.
    return engine === 'sqlite'
      ? leases.where((is) => is.or([is('until', '<', clock()), is('holder', '<>', server)])).execute()
      : leases.where('until', '<', clock()).execute()
  }

  const tryAcquire = async (name: string): Promise<boolean> => {
    try {
      await db
        .insertInto('trunkline_leases')
        .values({ name, holder: server, until: clock() + lifetimeMs })
        .execute()
      return true
    } catch (error) {
      if (classifyDatabaseError(error)?.kind === 'duplicate') return false
      throw error
    }
  }

  const acquire = async (name: string, waitMs: number): Promise<void> => {
    const deadline = clock() + waitMs
    for (;;) {
      await deleteUnused(name)
      if (await tryAcquire(name)) return
      if (clock() >= deadline) throw new LeaseHeldError(`the lease ${name} is held`)
      await delay(pollIntervalMs)
    }
  }

  const ofThisServer = (name: string) => ({
    renew: () =>
      db
        .updateTable('trunkline_leases')
        .set({ until: clock() + lifetimeMs })
        .where('name', '=', name)
        .where('holder', '=', server)
        .execute(),
    release: () => db.deleteFrom('trunkline_leases').where('name', '=', name).where('holder', '=', server).execute(),
  })

  /** Runs `work` while it holds the lease. Throws LeaseHeldError if another holder keeps it for `waitMs`. */
  return async <Result>(name: string, waitMs: number, work: () => Promise<Result>): Promise<Result> => {
    await acquire(name, waitMs)
    const lease = ofThisServer(name)
    // A failed renewal is followed by another one before the lease expires.
    const timer = setInterval(() => void lease.renew().catch(() => undefined), renewalIntervalMs).unref()
    try {
      return await work()
    } finally {
      clearInterval(timer)
      await lease.release()
    }
  }
}

export type WithLease = ReturnType<typeof createLeases>

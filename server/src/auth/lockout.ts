import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../db/database'
import type { Store } from '../db/repository'
import type { Connection } from '../db/repository-options'
import { createWorkQueue, type WorkQueue } from '../secrets/work-queue'
import { networkOf } from './client-network'

/**
 * The result of a password check. `newly-locked`: this wrong password was the last one allowed. `locked`: the password
 * was not checked.
 */
export type AttemptResult = 'correct' | 'incorrect' | 'newly-locked' | 'locked'

/** A network may send this many times more wrong passwords, for all users together, than are allowed for one user. */
const networkAttemptFactor = 10
/** How long a limited network has to wait between two attempts. */
const networkWaitSeconds = 5
/** The table is limited to `maxRows` rows: every `failuresPerPrune` wrong passwords, older rows are deleted. */
const maxRows = 100_000
const failuresPerPrune = 200
/** The maximum number of attempts for one user from one network that wait for their turn. */
const maxWaitingAttempts = 50

const hashValues = (...values: string[]) => createHash('sha256').update(JSON.stringify(values)).digest('base64url')

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Creates a function that runs tasks with the same key one after the other. */
const createQueuesByKey = () => {
  const queues = new Map<string, { run: WorkQueue; taskCount: number }>()
  return async <Result>(key: string, task: () => Promise<Result>): Promise<Result> => {
    const queue = queues.get(key) ?? {
      run: createWorkQueue({ concurrency: 1, maxWaiting: maxWaitingAttempts }),
      taskCount: 0,
    }
    queues.set(key, queue)
    queue.taskCount += 1
    try {
      return await queue.run(task)
    } finally {
      queue.taskCount -= 1
      if (queue.taskCount === 0) queues.delete(key)
    }
  }
}

/** Counts wrong passwords in the database, so that the counts survive a restart and replicas share them. */
const createFailureCounts = ({ db, engine }: Pick<Database, 'db' | 'engine'>, lockSeconds: number) => {
  let failureCount = 0

  const findRow = (key_hash: string) =>
    db
      .selectFrom('trunkline_login_failures')
      .select(['failures', 'until', 'next_at'])
      .where('key_hash', '=', key_hash)
      .where('until', '>', nowSeconds())
      .executeTakeFirst()

  /**
   * Adds a failure in one statement, so that parallel failures are all counted. An expired count starts at 1. With
   * `extendsLock`, the count expires `lockSeconds` after its last failure, otherwise after its first.
   */
  const countFailure = async (key_hash: string, subject_hash: string, extendsLock: boolean): Promise<void> => {
    const now = nowSeconds()
    const until = now + lockSeconds
    const isActive = sql`trunkline_login_failures.until > ${now}`
    const assignments = sql`failures = case when ${isActive} then trunkline_login_failures.failures + 1 else 1 end,
      until = ${extendsLock ? sql`${until}` : sql`case when ${isActive} then trunkline_login_failures.until else ${until} end`}`
    await sql`insert into trunkline_login_failures (key_hash, subject_hash, failures, until, next_at)
      values (${key_hash}, ${subject_hash}, 1, ${until}, 0) ${
        engine === 'sqlite'
          ? sql`on conflict (key_hash) do update set ${assignments}`
          : sql`on duplicate key update ${assignments}`
      }`.execute(db)
  }

  const prune = async (): Promise<void> => {
    await db.deleteFrom('trunkline_login_failures').where('until', '<=', nowSeconds()).execute()
    const cutoff = await db
      .selectFrom('trunkline_login_failures')
      .select('until')
      .orderBy('until', 'desc')
      .offset(maxRows)
      .limit(1)
      .executeTakeFirst()
    if (cutoff) await db.deleteFrom('trunkline_login_failures').where('until', '<=', cutoff.until).execute()
  }

  return {
    findRow,

    /** Counts a wrong password of a user, and of the network for all users. */
    async add(key_hash: string, subject_hash: string, network_hash: string): Promise<void> {
      await countFailure(key_hash, subject_hash, true)
      await countFailure(network_hash, '', false)
      failureCount += 1
      if (failureCount % failuresPerPrune === 1) await prune()
    },
  }
}

/** Counts, for each network, the passwords that are being checked. */
const createPendingAttempts = () => {
  const counts = new Map<string, number>()
  const add = (network: string, change: number) => {
    const count = (counts.get(network) ?? 0) + change
    if (count > 0) counts.set(network, count)
    else counts.delete(network)
  }
  return {
    count: (network: string) => counts.get(network) ?? 0,
    async track<Result>(network: string, attempt: () => Promise<Result>): Promise<Result> {
      add(network, 1)
      try {
        return await attempt()
      } finally {
        add(network, -1)
      }
    },
  }
}

/**
 * Locks users after too many wrong passwords. A user is locked only for the network that sent the wrong passwords, so that
 * nobody can lock out a user elsewhere. Usernames that do not exist are counted in the same way, so that responses do not
 * reveal which users exist.
 */
export const createLockout = (
  { database }: Store,
  { attempts: maxAttempts, seconds: lockSeconds }: { attempts: number; seconds: number },
) => {
  const { db } = database
  const failureCounts = createFailureCounts(database, lockSeconds)
  const pendingAttempts = createPendingAttempts()
  const runInQueue = createQueuesByKey()

  const isLocked = async (key_hash: string) => ((await failureCounts.findRow(key_hash))?.failures ?? 0) >= maxAttempts

  const checkPassword = async (
    subject: string,
    network: string,
    verify: () => Promise<boolean>,
  ): Promise<AttemptResult> => {
    const key_hash = hashValues(subject, network)
    if (await isLocked(key_hash)) return 'locked'
    if (await verify()) {
      await db.deleteFrom('trunkline_login_failures').where('key_hash', '=', key_hash).execute()
      return 'correct'
    }
    await failureCounts.add(key_hash, hashValues(subject), hashValues(network))
    return (await isLocked(key_hash)) ? 'newly-locked' : 'incorrect'
  }

  return {
    /** How long a user stays locked. */
    lockSeconds,

    /** Reserves an attempt for this network. Returns 0, or the seconds until the network may try a password again. */
    async reserveAttempt(ip: string): Promise<number> {
      const network = networkOf(ip)
      const key_hash = hashValues(network)
      const row = await failureCounts.findRow(key_hash)
      // Passwords that are still being checked count as wrong.
      const attemptCount = (row?.failures ?? 0) + pendingAttempts.count(network)
      if (attemptCount < maxAttempts * networkAttemptFactor) return 0
      const now = nowSeconds()
      // Only one of several parallel requests updates the row and may continue.
      const { numUpdatedRows } = await db
        .updateTable('trunkline_login_failures')
        .set({ next_at: now + networkWaitSeconds })
        .where('key_hash', '=', key_hash)
        .where('next_at', '<=', now)
        .executeTakeFirst()
      return Number(numUpdatedRows) === 1 ? 0 : Math.max(1, Number(row?.next_at ?? 0) - now)
    },

    /**
     * Checks a password unless the subject is locked, and counts a wrong one. `subject` is a user SID, or the name that
     * was entered. Parallel attempts as one subject wait for each other: otherwise all of them would be checked before
     * the first one is counted. Replicas do not wait for each other, so each of them may allow one password more than the limit.
     * Rejects with QueueFullError if too many attempts are waiting.
     */
    async attempt(subject: string, ip: string, verify: () => Promise<boolean>): Promise<AttemptResult> {
      const network = networkOf(ip)
      return pendingAttempts.track(network, () =>
        runInQueue(hashValues(subject, network), () => checkPassword(subject, network, verify)),
      )
    },

    /** Unlocks a user for every network, because the user has a new password. */
    async reset(user_sid: string, connection: Connection = db): Promise<void> {
      await connection.deleteFrom('trunkline_login_failures').where('subject_hash', '=', hashValues(user_sid)).execute()
    },
  }
}

export type Lockout = ReturnType<typeof createLockout>

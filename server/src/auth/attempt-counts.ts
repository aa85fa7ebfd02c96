import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Store } from '../db/repository'
import { networkOf } from './client-network'

/** How many attempts are allowed in a time that starts with the first one. */
export interface AttemptLimit {
  /** Separates the counts of different limits. */
  name: string
  max: number
  seconds: number
}

/** Expired counts are deleted every `attemptsPerPrune` attempts. */
const attemptsPerPrune = 200

const nowSeconds = () => Math.floor(Date.now() / 1000)

/**
 * Counts attempts in the database, so that the counts survive a restart and replicas share them. Client networks have no
 * limit if the installation limits no requests.
 */
export const createAttemptCounts = (
  { database: { db, engine } }: Store,
  { limitsNetworks }: { limitsNetworks: boolean },
) => {
  let attemptCount = 0

  const prune = () => db.deleteFrom('trunkline_attempt_counts').where('until', '<=', nowSeconds()).execute()

  /** Counts in one statement, so that parallel attempts are all counted. An expired count starts again. */
  const increment = async (key_hash: string, seconds: number): Promise<void> => {
    const now = nowSeconds()
    const isActive = sql`trunkline_attempt_counts.until > ${now}`
    const assignments = sql`attempts = case when ${isActive} then trunkline_attempt_counts.attempts + 1 else 1 end,
      until = case when ${isActive} then trunkline_attempt_counts.until else ${now + seconds} end`
    await sql`insert into trunkline_attempt_counts (key_hash, attempts, until) values (${key_hash}, 1, ${now + seconds}) ${
      engine === 'sqlite'
        ? sql`on conflict (key_hash) do update set ${assignments}`
        : sql`on duplicate key update ${assignments}`
    }`.execute(db)
  }

  /**
   * Counts an attempt of a subject, such as an email address. Returns 0, or the seconds until the subject may try again if
   * this attempt is over the limit.
   */
  const add = async ({ name, max, seconds }: AttemptLimit, subject: string): Promise<number> => {
    const key_hash = createHash('sha256')
      .update(JSON.stringify([name, subject]))
      .digest('base64url')
    await increment(key_hash, seconds)
    attemptCount += 1
    if (attemptCount % attemptsPerPrune === 1) await prune()
    const row = await db
      .selectFrom('trunkline_attempt_counts')
      .select(['attempts', 'until'])
      .where('key_hash', '=', key_hash)
      .executeTakeFirst()
    return row && row.attempts > max ? Math.max(1, Number(row.until) - nowSeconds()) : 0
  }

  return {
    add,

    /** Counts an attempt of the client network of an IP address. */
    addForNetwork: (limit: AttemptLimit, ip: string): Promise<number> =>
      limitsNetworks ? add(limit, networkOf(ip)) : Promise.resolve(0),
  }
}

export type AttemptCounts = ReturnType<typeof createAttemptCounts>

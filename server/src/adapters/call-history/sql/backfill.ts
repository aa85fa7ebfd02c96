import { sql } from 'kysely'
import type { Connection, Store } from '../../../db/repository'
import { withTransaction } from '../../../db/transaction'
import type { Numbered } from './call-block'
import { lastId, ofTrunk } from './time-ids'

const read = sql.join(
  (
    [
      'id',
      'service_provider_sid',
      'account_sid',
      'direction',
      'answered',
      'sip_status',
      'seconds',
      'delay',
      'trunk',
      'numbers',
      'point',
    ] satisfies (keyof Numbered)[]
  ).map((name) => sql.ref(name)),
)

/** Calls of one transaction, so that nobody waits long behind it. */
const atOnce = 500

/** The name under which the progress of this work is stored. */
const work = 'packed calls'

/**
 * Brings calls that an older version kept to where this one looks for them. `enter`: what a write does with a call besides
 * keeping it.
 */
export const sqlCatchingUp = (
  { database: { db, engine } }: Pick<Store, 'database'>,
  enter: (trx: Connection, rows: readonly Numbered[]) => Promise<void>,
) => {
  const [alone, beside] = engine === 'mysql' ? [sql`for update`, sql`lock in share mode`] : ([sql``, sql``] as const)
  let done = false

  const reachedIn = async (connection: Connection, lock = sql``): Promise<number> => {
    const { rows } = await sql<{ reached: number }>`
      select reached from trunkline_progress where name = ${work} ${lock}`.execute(connection)
    return rows[0]?.reached ?? 0
  }

  /** One transaction's part of it, from the oldest calls to the newest, as they once came. Is it all done? */
  const step = () =>
    withTransaction(db, async (trx) => {
      // of several processes one works, and the others go on behind it
      const reached = await reachedIn(trx, alone)
      if (reached === lastId) return true
      // held until the commit: who is told more of one of these calls, or forgets it, does so before or after
      const { rows } = await sql<Numbered>`select ${read} from trunkline_calls
        where id > ${reached} order by id limit ${atOnce} ${beside}`.execute(trx)
      await enter(trx, rows)
      const next = rows.length < atOnce ? lastId : rows.at(-1)!.id
      await sql`update trunkline_progress set reached = ${next} where name = ${work}`.execute(trx)
      return next === lastId
    })

  /** An older version counted calls by trunk as it packed them; both start again, and nobody adds to either before this commit. */
  const start = () =>
    withTransaction(db, async (trx) => {
      const unlessThere = engine === 'mysql' ? sql`insert ignore` : sql`insert or ignore`
      const { numAffectedRows } =
        await sql`${unlessThere} into trunkline_progress (name, reached) values (${work}, 0)`.execute(trx)
      if (!numAffectedRows) return
      await sql`delete from trunkline_hour_counts where kind >= ${ofTrunk}`.execute(trx)
    })

  return {
    /** Are all calls to be found? What is once done stays done. */
    async ready(): Promise<boolean> {
      done ||= (await reachedIn(db)) === lastId
      return done
    },

    /**
     * Up to which call a transaction is to enter them itself; later ones are entered when their turn comes. To be asked
     * before it writes calls, as it then waits for whoever is catching up, and is waited for.
     */
    async reached(trx: Connection): Promise<number> {
      return done ? lastId : reachedIn(trx, beside)
    },

    /** Does it all, and rests as long as it works, so that others come to their turn. */
    async run(stopped: AbortSignal): Promise<void> {
      await start()
      while (!stopped.aborted) {
        const since = performance.now()
        if (await step()) return
        await new Promise((rested) => setTimeout(rested, performance.now() - since))
      }
    },
  }
}

export type CatchingUp = ReturnType<typeof sqlCatchingUp>

import { sql } from 'kysely'
import type { Store } from '../../db/table'
import type { CallHistory } from '../../ports/call-history'
import { alertRow, callRow } from './rows'
import { sqlCatchingUp } from './sql-catch-up'
import { sqlEntries } from './sql-entries'
import { everyCall, everyOwner, firstIdOf, hourOf, kindOfAlert } from './sql-places'
import { sqlNaming } from './sql-named'
import { sqlReading, type Shelf } from './sql-read'
import { sqlSearch } from './sql-search'
import { sqlWriting } from './sql-write'
import { together } from './together'

/** Days that records are kept; 0: for ever. */
interface Retention {
  calls: number
  alerts: number
}

const dayLength = 86_400_000
const hourLength = 3_600_000
/** Rows that are deleted in one go, so that nobody waits long behind it. */
const atOnce = 2000

/** Calls and alerts in our own tables. */
export const sqlCallHistory = (
  store: Pick<Store, 'database'>,
  retention: Retention,
  clock: () => number = Date.now,
): CallHistory => {
  const { db } = store.database

  /** Nobody sees what is older, whether it has been deleted yet or not. Whole hours, as they are counted. */
  const oldest = (shelf: Shelf): number => {
    const days = shelf === 'trunkline_calls' ? retention.calls : retention.alerts
    return days === 0 ? 0 : Math.floor((clock() - days * dayLength) / hourLength) * hourLength
  }
  const entries = sqlEntries(store.database)
  const catchingUp = sqlCatchingUp(store, entries.enter)
  const reading = sqlReading(store, oldest, sqlSearch(store), () => catchingUp.ready())
  const naming = sqlNaming(store, () => oldest('trunkline_calls'))

  const pruneShelf = async (shelf: Shelf) => {
    const end = firstIdOf(oldest(shelf))
    if (end === 0) return
    for (;;) {
      const { rows } = await sql<{ id: number }>`select id from ${sql.table(shelf)} where id < ${end}
        order by id limit 1 offset ${atOnce}`.execute(db)
      const before = rows[0]?.id ?? end
      await db.transaction().execute(async (trx) => {
        if (shelf === 'trunkline_calls') await entries.prune(trx, before, end)
        await sql`delete from ${sql.table(shelf)} where id < ${before}`.execute(trx)
      })
      if (!rows[0]) break
    }
    const kinds = everyOwner(shelf === 'trunkline_calls' ? everyCall : [kindOfAlert])
    await sql`delete from trunkline_hour_counts where hour < ${hourOf(end)} and kind in (${sql.join(kinds)})`.execute(
      db,
    )
  }

  return {
    async calls(of, look) {
      const { total, rows } = await reading.calls(of, look)
      return { total, rows: rows.map(({ time, values }) => callRow(time, values)) }
    },
    sums: (of, look) => reading.sums(of, look),
    async alerts(of, look) {
      const { total, rows } = await reading.alerts(of, look)
      return { total, rows: rows.map(({ time, values }) => alertRow(time, values)) }
    },
    isForeign: (of, by) => naming.isForeign(of, by),
    async find(of, by) {
      const found = await naming.find(of, by)
      return found && callRow(found.time, found.values)
    },
    write: together(sqlWriting(store, entries, catchingUp)),
    catchUp: (stopped) => catchingUp.run(stopped),
    async prune() {
      await pruneShelf('trunkline_calls')
      await pruneShelf('trunkline_alerts')
    },
  }
}

import type { Store } from '../../../db/repository'
import type { CallHistory } from '../../../ports/call-history'
import { alertRow, callRow } from '../rows'
import { sqlAlerts } from './alerts'
import { sqlCatchingUp } from './backfill'
import { sqlEntries } from './entries'
import { sqlNaming } from './find-call'
import { sqlPruning } from './prune'
import { sqlReading, type Shelf } from './read'
import { sqlSearch } from './search'
import { sqlWriting } from './write'
import { together } from '../../sql/group-commit'

/** Days that records are kept; 0: for ever. */
interface Retention {
  calls: number
  alerts: number
}

const dayLength = 86_400_000
const hourLength = 3_600_000

/** Calls and alerts in our own tables. */
export const sqlCallHistory = (
  store: Pick<Store, 'database'>,
  retention: Retention,
  clock: () => number = Date.now,
): CallHistory => {
  /** Nobody sees what is older, whether it has been deleted yet or not. Whole hours, as they are counted. */
  const oldest = (shelf: Shelf): number => {
    const days = shelf === 'trunkline_calls' ? retention.calls : retention.alerts
    return days === 0 ? 0 : Math.floor((clock() - days * dayLength) / hourLength) * hourLength
  }
  const entries = sqlEntries(store.database)
  const catchingUp = sqlCatchingUp(store, entries.enter)
  const reading = sqlReading(store, oldest, sqlSearch(store), () => catchingUp.ready())
  const alerts = sqlAlerts(store, () => oldest('trunkline_alerts'), reading)
  const naming = sqlNaming(store, () => oldest('trunkline_calls'))

  const prune = sqlPruning(store)

  return {
    async calls(of, look) {
      const { total, rows } = await reading.calls(of, look)
      return { total, rows: rows.map(({ time, values }) => callRow(time, values)) }
    },
    sums: (of, look) => reading.sums(of, look),
    async alerts(of, look) {
      const { total, rows } = await alerts.list(of, look)
      return { total, rows: rows.map(({ time, values }) => alertRow(time, values)) }
    },
    async alertGroups(of, look) {
      const { total, rows } = await alerts.groups(of, look)
      return {
        total,
        rows: rows.map(({ newest: { time, values }, ...group }) => ({ ...alertRow(time, values), ...group })),
      }
    },
    isOwner: (of, by) => naming.isOwner(of, by),
    async find(of, by) {
      const found = await naming.find(of, by)
      return found && callRow(found.time, found.values)
    },
    write: together(sqlWriting(store, entries, catchingUp)),
    catchUp: (stopped) => catchingUp.run(stopped),
    async prune(stopped) {
      for (const shelf of ['trunkline_calls', 'trunkline_alerts'] as const) await prune(shelf, oldest(shelf), stopped)
    },
  }
}

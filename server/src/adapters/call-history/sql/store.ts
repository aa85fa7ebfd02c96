import type { Store } from '../../../db/repository'
import type { CallHistory } from '../../../ports/call-history'
import { alertRow, callRow } from '../rows'
import { sqlAlerts } from './alerts'
import { sqlBackfill } from './backfill'
import { callIndex } from './call-index'
import { sqlCallFinder } from './find-call'
import { sqlCallGroups } from './group-calls'
import { sqlPruner } from './pruner'
import { sqlReader, type CallTable } from './reader'
import { sqlSearch } from './block-search'
import { sqlWriter } from './writer'
import { groupCommit } from '../../sql/group-commit'

/** Days until records are deleted; 0: never. */
interface RetentionDays {
  calls: number
  alerts: number
}

const msPerDay = 86_400_000
const msPerHour = 3_600_000

/** Stores calls and alerts in tables of our own. */
export const sqlCallHistory = (
  store: Pick<Store, 'database'>,
  retention: RetentionDays,
  clock: () => number = Date.now,
): CallHistory => {
  /** Hides expired records even before they are pruned. Returns a full hour, because counts are kept per hour. */
  const oldestAt = (table: CallTable): number => {
    const days = table === 'trunkline_calls' ? retention.calls : retention.alerts
    return days === 0 ? 0 : Math.floor((clock() - days * msPerDay) / msPerHour) * msPerHour
  }
  const index = callIndex(store.database)
  const backfill = sqlBackfill(store, index.add)
  const search = sqlSearch(store)
  const reader = sqlReader(store, oldestAt, search, () => backfill.isReady())
  const alerts = sqlAlerts(store, () => oldestAt('trunkline_alerts'), reader)
  const finder = sqlCallFinder(store, () => oldestAt('trunkline_calls'))

  const prune = sqlPruner(store)
  const write = groupCommit({
    commit: sqlWriter(store, index, backfill),
    sizeOf: ({ points }) => points.length,
    maxBatchSize: 1000,
    maxQueueSize: 100_000,
    overloadMessage: 'Records arrive faster than they can be stored. Send them again later.',
  })

  return {
    async calls(tenant, options) {
      const { total, rows } = await reader.calls(tenant, options)
      return { total, rows: rows.map(({ time, values }) => callRow(time, values)) }
    },
    sums: (tenant, options) => reader.sums(tenant, options),
    groups: sqlCallGroups(store, reader, search, () => backfill.isReady()),
    async alerts(tenant, options) {
      const { total, rows } = await alerts.list(tenant, options)
      return { total, rows: rows.map(({ time, values }) => alertRow(time, values)) }
    },
    async alertGroups(tenant, options) {
      const { total, rows } = await alerts.groups(tenant, options)
      return {
        total,
        rows: rows.map(({ newest: { time, values }, ...group }) => ({ ...alertRow(time, values), ...group })),
      }
    },
    isOwner: (tenant, identifier) => finder.isOwner(tenant, identifier),
    async find(tenant, identifier) {
      const row = await finder.find(tenant, identifier)
      return row && callRow(row.time, row.values)
    },
    write: (measurement, points) => (points.length === 0 ? Promise.resolve() : write({ measurement, points })),
    backfill: (signal) => backfill.run(signal),
    async prune(signal) {
      for (const table of ['trunkline_calls', 'trunkline_alerts'] as const) await prune(table, oldestAt(table), signal)
    },
  }
}

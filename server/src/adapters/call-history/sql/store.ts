import type { Store } from '../../../db/repository'
import type { CallHistory } from '../../../ports/call-history'
import { toAlertRow, toCallRow } from '../rows'
import { createSqlAlertReader } from './alerts'
import { createAlertBackfill, createCallBackfill } from './backfill'
import { createSqlActivityReader } from './call-activities'
import { createCallIndex } from './call-index'
import { createCallScanBuilder } from './call-scan'
import { createSqlDelayPercentile } from './delay-percentile'
import { createSqlCallFinder } from './find-call'
import { createSqlCallGrouper } from './group-calls'
import { createScanClauses, type CallTable } from './index-scan'
import { createGroupedAlertReader } from './grouped-alerts'
import { createSqlNumberCounter } from './number-counts'
import { createSqlPageReader } from './page-reader'
import { createSqlPruner } from './pruner'
import { createSqlCallReader } from './reader'
import { createSqlTextMatcher } from './text-matches'
import { createSqlBlockSearch } from './block-search'
import { createSqlTrunkCounter } from './trunk-counts'
import { createSqlWriter } from './writer'
import { createGroupCommit } from '../../sql/group-commit'

/** The number of days after which records are deleted; 0: never. */
interface RetentionDays {
  calls: number
  alerts: number
}

const msPerDay = 86_400_000
const msPerHour = 3_600_000

/** Creates a call history in tables of our own. */
export const createSqlCallHistory = (
  store: Pick<Store, 'database'>,
  retention: RetentionDays,
  clock: () => number = Date.now,
): CallHistory => {
  /**
   * Returns the start of the retention period, which hides expired records even before they are pruned. It is a full hour,
   * because counts are stored per hour.
   */
  const getOldestAt = (table: CallTable): number => {
    const days = table === 'trunkline_calls' ? retention.calls : retention.alerts
    return days === 0 ? 0 : Math.floor((clock() - days * msPerDay) / msPerHour) * msPerHour
  }
  const getOldestCallAt = () => getOldestAt('trunkline_calls')
  const { database } = store
  const index = createCallIndex(database)
  const backfills = { cdrs: createCallBackfill(store, index), alerts: createAlertBackfill(store) }
  const isIndexed = () => backfills.cdrs.isComplete()

  const clauses = createScanClauses(database)
  const textMatcher = createSqlTextMatcher(database)
  const blockSearch = createSqlBlockSearch(database, textMatcher)
  const pageReader = createSqlPageReader(database, clauses)
  const scanBuilder = createCallScanBuilder(clauses, getOldestCallAt, textMatcher)
  const callReader = createSqlCallReader({ database, clauses, scanBuilder, pageReader, blockSearch, isIndexed })
  const callFinder = createSqlCallFinder(store, getOldestCallAt)
  const alertReader = createSqlAlertReader({
    database,
    clauses,
    pageReader,
    groupedAlerts: createGroupedAlertReader(database),
    isIndexed: () => backfills.alerts.isComplete(),
    getOldestAt: () => getOldestAt('trunkline_alerts'),
    clock,
  })

  const pruneTable = createSqlPruner(store)
  const { write, getQueueSize } = createGroupCommit({
    commit: createSqlWriter(store, index, backfills),
    sizeOf: ({ points }) => points.length,
    maxBatchSize: 1000,
    maxQueueSize: 100_000,
    overloadMessage: 'Records arrive faster than they can be stored. Send them again later.',
  })

  return {
    async listCalls(tenant, options) {
      const { total, rows } = await callReader.listCalls(tenant, options)
      return { total, rows: rows.map(({ time, values }) => toCallRow(time, values)) }
    },
    sumCalls: (tenant, options) => callReader.sumCalls(tenant, options),
    groupCalls: createSqlCallGrouper({ database, clauses, scanBuilder, blockSearch, textMatcher, isIndexed }),
    countByTrunk: createSqlTrunkCounter({ database, clauses, scanBuilder, textMatcher, isIndexed }),
    countByNumber: createSqlNumberCounter({ database, scanBuilder, isIndexed }),
    listActivities: createSqlActivityReader({ database, clauses, scanBuilder, isIndexed }),
    findDelayPercentile: createSqlDelayPercentile({ database, clauses, scanBuilder, blockSearch, isIndexed }),
    async listAlerts(tenant, options) {
      const { total, rows } = await alertReader.listAlerts(tenant, options)
      return { total, rows: rows.map(({ time, values }) => toAlertRow(time, values)) }
    },
    async listAlertGroups(tenant, options) {
      const { total, rows } = await alertReader.listGroups(tenant, options)
      return {
        total,
        rows: rows.map(({ newestAlert: { time, values }, ...group }) => ({ ...toAlertRow(time, values), ...group })),
      }
    },
    isCallOwner: (tenant, identifier) => callFinder.isCallOwner(tenant, identifier),
    async findCall(tenant, identifier) {
      const row = await callFinder.findCall(tenant, identifier)
      return row && toCallRow(row.time, row.values)
    },
    writePoints: (measurement, points) => (points.length === 0 ? Promise.resolve() : write({ measurement, points })),
    getQueueSize,
    async backfill(signal) {
      for (const backfill of [backfills.alerts, backfills.cdrs]) await backfill.run(signal)
    },
    async prune(signal) {
      for (const table of ['trunkline_calls', 'trunkline_alerts'] as const)
        await pruneTable(table, getOldestAt(table), signal)
    },
  }
}

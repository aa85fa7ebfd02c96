import { claimsProveOwner, type CallFilter, type CallHistory, type Tenant } from '../../../ports/call-history'
import { createActivityReader } from './activities'
import { createAlertGroupReader } from './alert-groups'
import { buildAlertConditions, buildCallConditions } from './conditions'
import { createClickHouseConnection } from './connection'
import { createIdentifierReader } from './identifiers'
import { createPageReader } from './page-reader'
import { createPartitionPruner } from './pruner'
import { toAlert, toCall } from './rows'
import { createCallAggregates } from './sums'
import { identifierTable, recordTables } from './tables'
import { createClickHouseWriter } from './writer'

interface ClickHouseOptions {
  /** The number of days after which records are deleted; 0: never. */
  retention: { calls: number; alerts: number }
  clock?: () => number
  /** The minimum time between two inserts. */
  minIntervalMs?: number
}

const msPerDay = 86_400_000

/** So that the end of the process does not wait for a server that hangs. */
const waitForAbort = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

/** Stores calls and alerts in a ClickHouse. For the URL see `createClickHouseConnection`. */
export const createClickHouseCallHistory = (
  url: string,
  { retention, clock = Date.now, minIntervalMs }: ClickHouseOptions,
): CallHistory => {
  const connection = createClickHouseConnection(url)
  const readPage = createPageReader(connection)
  const readAlertGroups = createAlertGroupReader(connection, clock)
  const aggregates = createCallAggregates(connection)
  const prunePartitions = createPartitionPruner(connection)

  /** The start of a retention period, which hides older records even before their partition is dropped; 0: no limit. */
  const getOldestAt = (days: number) => (days === 0 ? 0 : clock() - days * msPerDay)
  const getOldestCallAt = () => getOldestAt(retention.calls)
  const getOldestAlertAt = () => getOldestAt(retention.alerts)
  const identifierReader = createIdentifierReader(connection, getOldestCallAt)

  const buildConditions = async (tenant: Tenant, filter: CallFilter) =>
    buildCallConditions(tenant, filter, {
      oldestAt: getOldestCallAt(),
      exactMatches: filter.text ? await identifierReader.findKeys(tenant, filter.text.trim()) : [],
    })

  return {
    async listCalls(tenant, options) {
      const { total, rows } = await readPage('cdrs', await buildConditions(tenant, options), options)
      return { total, rows: rows.map(toCall) }
    },
    sumCalls: async (tenant, filter) => aggregates.sumCalls(await buildConditions(tenant, filter)),
    groupCalls: async (tenant, filter, property) =>
      aggregates.groupCalls(await buildConditions(tenant, filter), property),
    async countByTrunk(tenant, firstHour) {
      const filter = { from: firstHour * 3_600_000, direction: 'outbound' as const }
      return aggregates.countByTrunk(await buildConditions(tenant, filter))
    },
    countByNumber: async (tenant, numbers, from) =>
      aggregates.countByNumber(await buildConditions(tenant, { from }), numbers),
    listActivities: createActivityReader(connection, getOldestCallAt),
    findDelayPercentile: async (tenant, filter, percentile) =>
      aggregates.findDelayPercentile(await buildConditions(tenant, filter), percentile),
    async listAlerts(tenant, options) {
      const conditions = buildAlertConditions(tenant, options, getOldestAlertAt())
      const { total, rows } = await readPage('alerts', conditions, options)
      return { total, rows: rows.map(toAlert) }
    },
    listAlertGroups: (tenant, options) => readAlertGroups(tenant, options, getOldestAlertAt()),
    async findCall(tenant, identifier) {
      const row = await identifierReader.findCall(tenant, identifier)
      return row && toCall(row)
    },
    isCallOwner: async (tenant, identifier) => claimsProveOwner(await identifierReader.readClaims(identifier), tenant),
    ...createClickHouseWriter(connection, minIntervalMs === undefined ? {} : { minIntervalMs }),
    // ClickHouse maintains its own indexes. An unsuitable server should fail at the start, not with the first call.
    backfill: (signal) => Promise.race([connection.prepare(), waitForAbort(signal)]),
    async prune(signal) {
      if (retention.calls > 0)
        for (const table of [recordTables.cdrs.name, identifierTable])
          await prunePartitions(table, getOldestCallAt(), signal)
      if (retention.alerts > 0) await prunePartitions(recordTables.alerts.name, getOldestAlertAt(), signal)
    },
  }
}

import {
  claimsProveOwner,
  maxDelaySamples,
  TooManyRecordsError,
  type AlertGroupListOptions,
  type CallHistory,
  type CallListOptions,
  type Tenant,
} from '../../../ports/call-history'
import { computePercentile, countValues } from '../percentile'
import { toAlertRow, toCallRow } from '../rows'
import { createActivityReader } from './activities'
import { readClaims } from './claims'
import { createInfluxConnection } from './connection'
import { countByInterval, getHistoryStart, groupAlerts } from './group-alerts'
import {
  buildAlertConditions,
  buildCallConditions,
  buildNumberConditions,
  buildOwnerConditions,
  type QueryConditions,
} from './query-conditions'
import { createInfluxReader, type InfluxReader } from './reader'
import type { Values } from './response'
import { countByNumber, countByTrunk, getAnswerDelayMs, groupCalls, hasNoStatus, toCallSum } from './sums'
import { createInfluxWriter } from './writer'

/** At least one of these fields exists in every call, and count() only counts existing fields. */
const identifyingFields = ['sip_callid', 'call_sid', '"from"', '"to"']

/** Converts a timestamp of InfluxDB, which may have nanoseconds, to ISO text with milliseconds. */
const formatTime = (value: unknown): string => new Date(String(value)).toISOString()

/** Drops empty fields: InfluxDB returns the columns of all records, and those of other records are null. */
const pickPresentFields = (row: Values): Values =>
  Object.fromEntries(Object.entries(row).filter(([name, value]) => name !== 'time' && value !== null))

const toCall = (row: Values) => toCallRow(formatTime(row.time), pickPresentFields(row))
const toAlert = (row: Values) => toAlertRow(formatTime(row.time), pickPresentFields(row))

/** Creates a function that counts the alerts of each group by interval; it returns undefined if there are too many to read. */
const createHistoryReader =
  (reader: InfluxReader, clock: () => number) => async (tenant: Tenant, options: AlertGroupListOptions) => {
    const endAt = options.to ?? clock()
    const conditions = buildAlertConditions(tenant, { ...options, from: getHistoryStart(endAt) })
    try {
      return countByInterval((await reader.readAll('alerts', ['*'], conditions)).map(toAlert), options, endAt)
    } catch (error) {
      if (error instanceof TooManyRecordsError) return undefined
      throw error
    }
  }

/** Creates a function that reads the calls of phone numbers and counts them. */
const createNumberCounter =
  (reader: InfluxReader) => async (tenant: Tenant, numbers: readonly string[], from: number) => {
    const conditions = buildNumberConditions(tenant, numbers, from)
    return countByNumber(await reader.readAll('cdrs', ['direction', '"from"', '"to"'], conditions), numbers)
  }

/** Stores calls and alerts in an InfluxDB 1.x, as the platform's own servers do. For the URL see `createInfluxConnection`. */
export const createInfluxCallHistory = (url: string, clock: () => number = Date.now): CallHistory => {
  const connection = createInfluxConnection(url)
  const reader = createInfluxReader(connection)
  const readAlertHistories = createHistoryReader(reader, clock)

  const readPageWithoutStatus = async (conditions: QueryConditions, { page, count, oldestFirst }: CallListOptions) => {
    const calls = await reader.readAll('cdrs', ['*'], conditions, oldestFirst ? { oldestFirst } : {})
    const matchingCalls = calls.filter(hasNoStatus)
    return { total: matchingCalls.length, rows: matchingCalls.slice((page - 1) * count, page * count) }
  }

  return {
    async listCalls(tenant, options) {
      const conditions = buildCallConditions(tenant, options)
      const { total, rows } =
        options.sip_status === 0
          ? await readPageWithoutStatus(conditions, options)
          : await reader.readPage('cdrs', identifyingFields, conditions, options)
      return { total, rows: rows.map(toCall) }
    },
    async sumCalls(tenant, filter) {
      const fields = [...identifyingFields, 'answered', 'sip_status', '"duration"', 'answered_at']
      const calls = await reader.readAll('cdrs', fields, buildCallConditions(tenant, filter))
      return (filter.sip_status === 0 ? calls.filter(hasNoStatus) : calls).map(toCallSum)
    },
    async groupCalls(tenant, filter, property) {
      const column = property === 'trunk' ? 'trunk' : 'account_sid'
      const fields = [...identifyingFields, 'answered', 'sip_status', column]
      const calls = await reader.readAll('cdrs', fields, buildCallConditions(tenant, filter))
      return groupCalls(filter.sip_status === 0 ? calls.filter(hasNoStatus) : calls, column)
    },
    async countByTrunk(tenant, firstHour) {
      const conditions = buildCallConditions(tenant, { from: firstHour * 3_600_000, direction: 'outbound' })
      const fields = [...identifyingFields, 'answered', 'sip_status', 'trunk']
      return countByTrunk(await reader.readAll('cdrs', fields, conditions))
    },
    countByNumber: createNumberCounter(reader),
    listActivities: createActivityReader({ connection, reader, identifyingFields }),
    async findDelayPercentile(tenant, filter, percentile) {
      if (filter.answered === false) return null
      const fields = [...identifyingFields, 'answered', 'sip_status', 'answered_at']
      const conditions = buildCallConditions(tenant, { ...filter, answered: true })
      const calls = await reader.readAll('cdrs', fields, conditions, { oldestFirst: false })
      const delays = (filter.sip_status === 0 ? calls.filter(hasNoStatus) : calls).flatMap(
        (call) => getAnswerDelayMs(call) ?? [],
      )
      return computePercentile(countValues(delays.slice(0, maxDelaySamples)), percentile)
    },
    async listAlerts(tenant, options) {
      const { total, rows } = await reader.readPage(
        'alerts',
        ['message'],
        buildAlertConditions(tenant, options),
        options,
      )
      return { total, rows: rows.map(toAlert) }
    },
    async listAlertGroups(tenant, options) {
      const alerts = await reader.readAll('alerts', ['*'], buildAlertConditions(tenant, options), {
        oldestFirst: false,
      })
      const histories = options.hasHistory ? await readAlertHistories(tenant, options) : undefined
      return groupAlerts(alerts.map(toAlert), options, histories)
    },
    async findCall(tenant, identifier) {
      const [column, value] = Object.entries(identifier)[0] as [string, string]
      const { where, params } = buildOwnerConditions(tenant)
      const conditions = [...where, `${column} = $name`].join(' and ')
      const query = `select * from cdrs where ${conditions} order by time desc limit 1`
      const [row] = await connection.queryRows('cdrs', query, { ...params, name: value })
      return row && toCall(row)
    },
    async isCallOwner(tenant, identifier) {
      const [[column, value] = ['', '']] = Object.entries<string>(identifier)
      const runQuery = (query: string) => connection.runQuery('cdrs', query, { name: value })
      return claimsProveOwner(await readClaims(runQuery, column), tenant)
    },
    writePoints: createInfluxWriter(connection),
    // InfluxDB maintains its own indexes.
    backfill: () => Promise.resolve(),
    // InfluxDB has its own retention policies.
    prune: () => Promise.resolve(),
  }
}

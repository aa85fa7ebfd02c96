import {
  claimsProveOwner,
  PointsRejectedError,
  TooManyRecordsError,
  type AlertListOptions,
  type CallHistory,
  type CallFilter,
  type Measurement,
  type Point,
  type Tenant,
  type TimedListOptions,
} from '../../../ports/call-history'
import { UnavailableError } from '../../../ports/service-errors'
import { readJson, queryError, errorIn, rowsIn, serviceName, unreadableResponse, type Values } from './response'
import { claimLines, claimsIn } from './claims'
import { groupAlerts } from './group-alerts'
import { groupCalls, hasNoStatus, sumOf } from './sums'
import { lineOf, containsPattern } from './line-format'
import { alertRow, callRow, normalizeField } from '../rows'

const timeoutMs = 15_000
/** The maximum number of records that are aggregated here, because InfluxDB groups by tags only. */
const maxAggregatedRecords = 100_000

/** Attempts per write. Each one corrects the type of one more number field. */
const maxAttempts = 10
const fieldTypeConflict =
  /input field "(.+?)" on measurement ".+?" is type (?:float|integer), already exists as type (integer|float)/

/** The conditions of a query, and the values that they bind. */
interface QueryConditions {
  where: string[]
  params: Record<string, string | number>
}

const unavailableMessage = `${serviceName} does not respond. Try again later.`

/** The range of timestamps in nanoseconds that InfluxDB accepts in a query. */
const [minTime, maxTime] = [-9_223_372_036_854_775_806n, 9_223_372_036_854_775_806n]

const toNanoseconds = (timestampMs: number): bigint => {
  const time = BigInt(timestampMs) * 1_000_000n
  if (time < minTime) return minTime
  return time > maxTime ? maxTime : time
}

const ownerConditions = (tenant: Tenant, { from, to }: Pick<TimedListOptions, 'from' | 'to'>): QueryConditions => {
  const [column, sid] = Object.entries(tenant)[0] as [string, string]
  return {
    where: [
      `${column} = $owner`,
      // Written as literals: bound numbers are limited to 53 bits.
      ...(from === undefined ? [] : [`time >= ${toNanoseconds(Math.ceil(from))}`]),
      ...(to === undefined ? [] : [`time < ${toNanoseconds(Math.floor(to) + 1)}`]),
    ],
    params: { owner: sid },
  }
}

/** For tags and fields: both are compared alike. */
const withEqual = (conditions: QueryConditions, name: string, value: string | undefined): QueryConditions =>
  value === undefined
    ? conditions
    : { where: [...conditions.where, `${name} = $${name}`], params: { ...conditions.params, [name]: value } }

/** InfluxQL cannot match a missing field: for status 0 all calls are read and filtered afterwards. */
const withStatus = (conditions: QueryConditions, sip_status: number | undefined): QueryConditions =>
  sip_status === undefined || sip_status === 0
    ? conditions
    : { ...conditions, where: [...conditions.where, `sip_status = ${sip_status}`] }

/** At least one of these columns contains the text, or one of the others equals it. */
const withText = (
  conditions: QueryConditions,
  text: string | undefined,
  { containing: containsIn, equal: equalsIn }: { containing: readonly string[]; equal: readonly string[] },
): QueryConditions =>
  text
    ? {
        where: [
          ...conditions.where,
          `(${[
            ...containsIn.map((name) => `${name} =~ ${containsPattern(text)}`),
            ...equalsIn.map((name) => `${name} = $text`),
          ].join(' or ')})`,
        ],
        params: { ...conditions.params, text: text.trim() },
      }
    : conditions

const searchedInCalls = {
  containing: ['"from"', '"to"', 'trunk', 'termination_reason'],
  equal: ['call_sid', 'sip_callid'],
}
const searchedInAlerts = { containing: ['message', 'detail', 'alert_type', 'vendor'], equal: ['target_sid'] }

/** A missing tag differs from every value, so a call without `answered` counts as not answered. */
const withAnswered = (conditions: QueryConditions, answered: boolean | undefined): QueryConditions =>
  answered === undefined
    ? conditions
    : { ...conditions, where: [...conditions.where, `answered ${answered ? '=' : '!='} 'true'`] }

const callConditions = (tenant: Tenant, options: CallFilter): QueryConditions => {
  const byDirection = withEqual(
    withAnswered(ownerConditions(tenant, options), options.answered),
    'direction',
    options.direction,
  )
  const byApplication = withEqual(
    withEqual(byDirection, 'trunk', options.trunk),
    'application_sid',
    options.application_sid,
  )
  return withStatus(withText(byApplication, options.text, searchedInCalls), options.sip_status)
}

const alertConditions = (tenant: Tenant, options: AlertListOptions): QueryConditions => {
  const byType = withEqual(ownerConditions(tenant, options), 'alert_type', options.alert_type)
  return withText(withEqual(byType, 'message', options.message), options.text, searchedInAlerts)
}

/**
 * Converts fields to the types that all writers use. Returns valid points, and the names of fields that cannot be converted.
 */
const normalizePoints = (measurement: Measurement, points: readonly Point[]) => {
  const invalidNames = new Set<string>()
  const validPoints = points.flatMap((point) => {
    const fields = Object.entries(point.fields).map(
      ([name, value]) => [name, normalizeField(measurement, name, value)] as const,
    )
    const invalid = fields.filter(([, value]) => value === undefined)
    for (const [name] of invalid) invalidNames.add(name)
    const present = fields.filter((pair): pair is [string, string | number | boolean] => (pair[1] ?? null) !== null)
    return invalid.length > 0 ? [] : [{ ...point, fields: Object.fromEntries(present) }]
  })
  return { validPoints, invalidFields: [...invalidNames].join(', ').slice(0, 200) }
}

/** At least one of these fields exists in every record, and count() only counts existing fields. */
const identifyingFields = ['sip_callid', 'call_sid', '"from"', '"to"']

/** A timestamp of InfluxDB as ISO text with milliseconds. */
const formatTime = (value: unknown): string => new Date(String(value)).toISOString()

/**
 * Stores calls and alerts in an InfluxDB 1.x, as the platform's own servers do. The URL may contain a username and password.
 */
export const influxCallHistory = (url: string): CallHistory => {
  const { origin, pathname, username, password } = new URL(url)
  const base = origin + pathname.replace(/\/+$/, '')
  const login = `${decodeURIComponent(username || 'root')}:${decodeURIComponent(password || 'root')}`
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`

  const send = async (path: string, query: Record<string, string>, body?: string): Promise<Response> => {
    try {
      return await fetch(`${base}${path}?${new URLSearchParams(query).toString()}`, {
        method: body === undefined && path === '/query' && !/^create/i.test(query.q ?? '') ? 'GET' : 'POST',
        headers: { authorization },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch {
      throw new UnavailableError(unavailableMessage)
    }
  }

  const parseResponse = async (response: Response): Promise<Values> => {
    const json = await readJson(response)
    if (response.status === 401) throw new UnavailableError(`${serviceName} rejects the credentials. Check INFLUX_URL.`)
    if (!response.ok) throw queryError(errorIn(json) ?? `status ${response.status}`)
    if (!json) throw unreadableResponse()
    return json
  }

  const runQuery = async (measurement: Measurement, q: string, params: QueryConditions['params']): Promise<Values> =>
    parseResponse(await send('/query', { db: measurement, q, params: JSON.stringify(params) }))

  const queryRows = async (
    measurement: Measurement,
    q: string,
    params: QueryConditions['params'],
  ): Promise<Values[]> => {
    return rowsIn(await runQuery(measurement, q, params))
  }

  /** `counted`: fields of which every record has at least one. The greatest of their counts is the total. */
  const readPage = async (
    measurement: Measurement,
    countedFields: readonly string[],
    { where, params }: QueryConditions,
    options: TimedListOptions,
  ) => {
    const { page, count, oldestFirst } = options
    const source = `from ${measurement} where ${where.join(' and ')}`
    const counts = countedFields.map((field, index) => `count(${field}) as n${index}`)
    const [totals] = await queryRows(measurement, `select ${counts.join(', ')} ${source}`, params)
    const total = Math.max(0, ...countedFields.map((_, index) => Number(totals?.[`n${index}`]) || 0))
    const offset = (page - 1) * count
    if (total <= offset) return { total, rows: [] }
    const rows = await queryRows(
      measurement,
      `select * ${source} order by time ${oldestFirst ? 'asc' : 'desc'} limit ${count} offset ${offset}`,
      params,
    )
    return { total, rows }
  }

  /** Fields that the database has as integers, because their first writer wrote integers. It rejects other types. */
  const integerFields: Record<Measurement, Set<string>> = { cdrs: new Set(), alerts: new Set() }

  /** Learns the type of a field from an error. Returns whether another attempt makes sense. */
  const learnFieldType = (measurement: Measurement, reason: string): boolean => {
    const [, name, requiredType] = fieldTypeConflict.exec(reason) ?? []
    if (name === undefined) return false
    if (requiredType === 'float') return integerFields[measurement].delete(name)
    const isKnown = integerFields[measurement].has(name)
    integerFields[measurement].add(name)
    return !isKnown
  }

  const writeNormalized = async (measurement: Measurement, points: readonly Point[], attempt = 1): Promise<void> => {
    const lines = [
      ...points.flatMap((point) => lineOf(measurement, point, integerFields[measurement]) ?? []),
      ...claimLines(points),
    ]
    if (lines.length === 0) return
    const post = () => send('/write', { db: measurement, precision: 'ns' }, lines.join('\n'))
    let response = await post()
    if (response.status === 404) {
      await parseResponse(await send('/query', { q: `create database ${measurement}` }))
      response = await post()
    }
    if (response.status === 204) return
    if (response.status !== 400) {
      await parseResponse(response)
      // A successful write has no body, so this response is not from an InfluxDB.
      throw unreadableResponse()
    }
    // The syntax is correct, so the content is rejected and would be rejected again.
    const error = errorIn(await readJson(response)) ?? 'status 400'
    if (attempt < maxAttempts && learnFieldType(measurement, error))
      return writeNormalized(measurement, points, attempt + 1)
    throw new PointsRejectedError(`the call history rejects it: ${error.replace(/^partial write: /, '').slice(0, 200)}`)
  }

  const write = async (measurement: Measurement, points: readonly Point[]): Promise<void> => {
    const { validPoints, invalidFields } = normalizePoints(measurement, points)
    await writeNormalized(measurement, validPoints)
    if (invalidFields !== '') throw new PointsRejectedError(`not a number: ${invalidFields}`)
  }

  /** Calls without a SIP status. */
  const readWithoutStatus = async (
    { where, params }: QueryConditions,
    { page, count, oldestFirst }: TimedListOptions,
  ) => {
    const order = oldestFirst ? 'asc' : 'desc'
    const source = `from cdrs where ${where.join(' and ')} order by time ${order} limit ${maxAggregatedRecords + 1}`
    const records = await queryRows('cdrs', `select * ${source}`, params)
    if (records.length > maxAggregatedRecords) throw new TooManyRecordsError()
    const withoutStatus = records.filter(hasNoStatus)
    return { total: withoutStatus.length, rows: withoutStatus.slice((page - 1) * count, page * count) }
  }

  /** The fields of a record. InfluxDB returns the columns of all writers; empty ones belong to other records. */
  const presentFields = (row: Values): Values =>
    Object.fromEntries(Object.entries(row).filter(([name, value]) => name !== 'time' && value !== null))

  return {
    async calls(tenant, options) {
      const conditions = callConditions(tenant, options)
      const { total, rows } =
        options.sip_status === 0
          ? await readWithoutStatus(conditions, options)
          : await readPage('cdrs', identifyingFields, conditions, options)
      return { total, rows: rows.map((row) => callRow(formatTime(row.time), presentFields(row))) }
    },
    async sums(tenant, options) {
      const { where, params } = callConditions(tenant, options)
      const fields = [...identifyingFields, 'answered', 'sip_status', '"duration"', 'answered_at'].join(', ')
      const source = `from cdrs where ${where.join(' and ')} limit ${maxAggregatedRecords + 1}`
      const rows = await queryRows('cdrs', `select ${fields} ${source}`, params)
      if (rows.length > maxAggregatedRecords) throw new TooManyRecordsError()
      return (options.sip_status === 0 ? rows.filter(hasNoStatus) : rows).map(sumOf)
    },
    async groups(tenant, filter, property) {
      const { where, params } = callConditions(tenant, filter)
      const column = property === 'trunk' ? 'trunk' : 'account_sid'
      const fields = [...identifyingFields, 'answered', 'sip_status', column].join(', ')
      const source = `from cdrs where ${where.join(' and ')} limit ${maxAggregatedRecords + 1}`
      const rows = await queryRows('cdrs', `select ${fields} ${source}`, params)
      if (rows.length > maxAggregatedRecords) throw new TooManyRecordsError()
      return groupCalls(filter.sip_status === 0 ? rows.filter(hasNoStatus) : rows, column)
    },
    async alerts(tenant, options: AlertListOptions) {
      const { total, rows } = await readPage('alerts', ['message'], alertConditions(tenant, options), options)
      return { total, rows: rows.map((row) => alertRow(formatTime(row.time), presentFields(row))) }
    },
    async alertGroups(tenant, options) {
      const { where, params } = alertConditions(tenant, options)
      const source = `from alerts where ${where.join(' and ')} order by time desc limit ${maxAggregatedRecords + 1}`
      const rows = await queryRows('alerts', `select * ${source}`, params)
      if (rows.length > maxAggregatedRecords) throw new TooManyRecordsError()
      return groupAlerts(
        rows.map((row) => alertRow(formatTime(row.time), presentFields(row))),
        options,
      )
    },
    async find(tenant, identifier) {
      const [name, value] = Object.entries(identifier)[0] as [string, string]
      const { where, params } = ownerConditions(tenant, {})
      const source = [...where, `${name} = $name`].join(' and ')
      const [row] = await queryRows('cdrs', `select * from cdrs where ${source} order by time desc limit 1`, {
        ...params,
        name: value,
      })
      return row && callRow(formatTime(row.time), presentFields(row))
    },
    async isOwner(tenant, identifier) {
      const [[name, value] = ['', '']] = Object.entries<string>(identifier)
      return claimsProveOwner(await claimsIn((q) => runQuery('cdrs', q, { name: value }), name), tenant)
    },
    write,
    // InfluxDB maintains its own indexes.
    backfill: () => Promise.resolve(),
    // InfluxDB has its own retention policies.
    prune: () => Promise.resolve(),
  }
}

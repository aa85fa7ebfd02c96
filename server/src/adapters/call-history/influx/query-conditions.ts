import type { AlertListOptions, CallFilter, Tenant, EventListOptions } from '../../../ports/call-history'
import { toComparableNumber } from '../comparable-number'
import type { QueryParams } from './connection'
import { buildContainsPattern, buildNumberPattern } from './line-format'

/** The conditions of a query, and the values that they bind. */
export interface QueryConditions {
  where: string[]
  params: QueryParams
}

/** The range of timestamps in nanoseconds that InfluxDB accepts in a query. */
const [minTimeNs, maxTimeNs] = [-9_223_372_036_854_775_806n, 9_223_372_036_854_775_806n]

export const toNanoseconds = (timestampMs: number): bigint => {
  const timeNs = BigInt(timestampMs) * 1_000_000n
  if (timeNs < minTimeNs) return minTimeNs
  return timeNs > maxTimeNs ? maxTimeNs : timeNs
}

/** Selects the records of a tenant in a range of time. */
export const buildOwnerConditions = (
  tenant: Tenant,
  { from, to }: Pick<EventListOptions, 'from' | 'to'> = {},
): QueryConditions => {
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

/** Adds an equality condition. Tags and fields are compared in the same way. */
const withEqual = (conditions: QueryConditions, name: string, value: string | undefined): QueryConditions =>
  value === undefined
    ? conditions
    : { where: [...conditions.where, `${name} = $${name}`], params: { ...conditions.params, [name]: value } }

/**
 * Adds a condition for the SIP status. Status 0 means no status, and InfluxQL cannot match a missing field: callers filter these
 * calls after reading all.
 */
const withStatus = (conditions: QueryConditions, sip_status: number | undefined): QueryConditions =>
  sip_status === undefined || sip_status === 0
    ? conditions
    : { ...conditions, where: [...conditions.where, `sip_status = ${sip_status}`] }

/** Adds a condition for `answered`. A missing tag differs from 'true', so a call without it counts as not answered. */
const withAnswered = (conditions: QueryConditions, answered: boolean | undefined): QueryConditions =>
  answered === undefined
    ? conditions
    : { ...conditions, where: [...conditions.where, `answered ${answered ? '=' : '!='} 'true'`] }

/** The columns that a text search covers. */
interface SearchedColumns {
  /** Columns that may contain the text anywhere. */
  byPart: readonly string[]
  /** Columns that must be equal to the text. */
  byValue: readonly string[]
}

const searchedCallColumns: SearchedColumns = {
  byPart: ['"from"', '"to"', 'trunk', 'termination_reason'],
  byValue: ['call_sid', 'sip_callid'],
}
const searchedAlertColumns: SearchedColumns = {
  byPart: ['message', 'detail', 'alert_type', 'vendor'],
  byValue: ['target_sid'],
}

const withText = (
  conditions: QueryConditions,
  text: string | undefined,
  { byPart, byValue }: SearchedColumns,
): QueryConditions => {
  if (!text) return conditions
  const matches = [
    ...byPart.map((name) => `${name} =~ ${buildContainsPattern(text)}`),
    ...byValue.map((name) => `${name} = $text`),
  ]
  return {
    where: [...conditions.where, `(${matches.join(' or ')})`],
    params: { ...conditions.params, text: text.trim() },
  }
}

/** Adds a condition for the calls of phone numbers: see `CallHistory.countByNumber`. */
const withNumbers = ({ where, params }: QueryConditions, numbers: readonly string[]): QueryConditions => {
  const pattern = buildNumberPattern(numbers.map(toComparableNumber))
  const matches = [`direction = 'inbound' and "to" =~ ${pattern}`, `direction = 'outbound' and "from" =~ ${pattern}`]
  return { where: [...where, `(${matches.map((match) => `(${match})`).join(' or ')})`], params }
}

/** Selects the calls that a filter matches, except that status 0 matches all calls. */
export const buildCallConditions = (tenant: Tenant, filter: CallFilter): QueryConditions => {
  let conditions = withAnswered(buildOwnerConditions(tenant, filter), filter.answered)
  for (const column of ['direction', 'trunk', 'application_sid'] as const)
    conditions = withEqual(conditions, column, filter[column])
  if (filter.number !== undefined) conditions = withNumbers(conditions, [filter.number])
  return withStatus(withText(conditions, filter.text, searchedCallColumns), filter.sip_status)
}

/** Selects the calls of phone numbers since `from`. */
export const buildNumberConditions = (tenant: Tenant, numbers: readonly string[], from: number): QueryConditions =>
  withNumbers(buildOwnerConditions(tenant, { from }), numbers)

export const buildAlertConditions = (tenant: Tenant, options: AlertListOptions): QueryConditions => {
  let conditions = buildOwnerConditions(tenant, options)
  for (const column of ['alert_type', 'message'] as const) conditions = withEqual(conditions, column, options[column])
  return withText(conditions, options.text, searchedAlertColumns)
}

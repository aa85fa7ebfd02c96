import type { AlertListOptions, CallFilter, EventListOptions, Tenant } from '../../../ports/call-history'
import type { Values } from './connection'

/** The conditions of a query, and the values that they bind. */
export interface QueryConditions {
  where: string[]
  params: Values
}

const [minTimeNs, maxTimeNs] = [-(2n ** 63n), 2n ** 63n - 1n]

/** Converts milliseconds to nanoseconds. Times that no record can have become the first or the last possible one. */
const toNanoseconds = (timestampMs: number): bigint => {
  const timeNs = BigInt(timestampMs) * 1_000_000n
  if (timeNs < minTimeNs) return minTimeNs
  return timeNs > maxTimeNs ? maxTimeNs : timeNs
}

/** Selects the records of a tenant in a range of time. `oldestAt`: the start of the retention period. */
export const buildOwnerConditions = (
  tenant: Tenant,
  { from, to }: Pick<EventListOptions, 'from' | 'to'>,
  oldestAt: number,
): QueryConditions => {
  const [column, sid] = Object.entries(tenant)[0] as [string, string]
  const startAt = Math.max(from ?? -Infinity, oldestAt === 0 ? -Infinity : oldestAt)
  return {
    where: [
      `${column} = {owner:String}`,
      ...(startAt === -Infinity ? [] : ['time_ns >= {startNs:Int64}']),
      ...(to === undefined ? [] : ['time_ns < {endNs:Int64}']),
    ],
    params: {
      owner: sid,
      ...(startAt === -Infinity ? {} : { startNs: toNanoseconds(Math.ceil(startAt)) }),
      ...(to === undefined ? {} : { endNs: toNanoseconds(Math.floor(to) + 1) }),
    },
  }
}

/** Adds a condition that binds a text under the name of the column; nothing if the value is absent. */
const withText = (
  { where, params }: QueryConditions,
  column: string,
  value: string | undefined,
  condition = `${column} = {${column}:String}`,
): QueryConditions =>
  value === undefined ? { where, params } : { where: [...where, condition], params: { ...params, [column]: value } }

const withCondition = (conditions: QueryConditions, condition: string | undefined): QueryConditions =>
  condition === undefined ? conditions : { ...conditions, where: [...conditions.where, condition] }

/** The columns that a text search covers. */
interface SearchedColumns {
  /** Columns that may contain the text anywhere. */
  byPart: readonly string[]
  /** Columns that must be equal to the text. */
  byValue: readonly string[]
}

const searchedCallColumns: SearchedColumns = {
  byPart: ['`from`', '`to`', 'trunk', 'termination_reason'],
  byValue: ['call_sid', 'sip_callid'],
}
const searchedAlertColumns: SearchedColumns = {
  byPart: ['message', 'detail', 'alert_type', 'vendor'],
  byValue: ['target_sid'],
}

const withSearch = (
  { where, params }: QueryConditions,
  text: string | undefined,
  { byPart, byValue }: SearchedColumns,
): QueryConditions => {
  if (!text) return { where, params }
  const matches = [
    ...byPart.map((column) => `positionCaseInsensitiveUTF8(ifNull(${column}, ''), {searchText:String}) > 0`),
    ...byValue.map((column) => `${column} = {searchedValue:String}`),
  ]
  return {
    where: [...where, `(${matches.map((match) => `ifNull(${match}, 0)`).join(' or ')})`],
    params: { ...params, searchText: text, searchedValue: text.trim() },
  }
}

/** Without a reported answer, a call counts as not answered. */
const answeredCondition = (answered: boolean) => `ifNull(answered, '') ${answered ? '=' : '!='} 'true'`

/** Selects the calls that a filter matches. */
export const buildCallConditions = (tenant: Tenant, filter: CallFilter, oldestAt: number): QueryConditions => {
  const { direction, answered, trunk, sip_status, application_sid, text } = filter
  let conditions = buildOwnerConditions(tenant, filter, oldestAt)
  conditions = withText(conditions, 'direction', direction)
  conditions = withCondition(conditions, answered === undefined ? undefined : answeredCondition(answered))
  // As in the SQL store, the case of trunks is ignored.
  conditions = withText(conditions, 'trunk', trunk, "lowerUTF8(ifNull(trunk, '')) = lowerUTF8({trunk:String})")
  conditions = withText(conditions, 'application_sid', application_sid)
  if (sip_status !== undefined)
    conditions = {
      where: [...conditions.where, 'ifNull(sip_status, 0) = {sip_status:Float64}'],
      params: { ...conditions.params, sip_status },
    }
  return withSearch(conditions, text, searchedCallColumns)
}

export const buildAlertConditions = (tenant: Tenant, options: AlertListOptions, oldestAt: number): QueryConditions => {
  let conditions = buildOwnerConditions(tenant, options, oldestAt)
  for (const column of ['alert_type', 'message'] as const) conditions = withText(conditions, column, options[column])
  return withSearch(conditions, options.text, searchedAlertColumns)
}

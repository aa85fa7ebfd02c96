import type { AlertListOptions, CallFilter, EventListOptions, Tenant } from '../../../ports/call-history'
import { toComparableNumber } from '../comparable-number'
import type { Values } from './connection'

/** The conditions of a query, and the values that they bind. */
export interface QueryConditions {
  /** The first one selects the records of the owner. */
  where: string[]
  params: Values
}

const [minTimeNs, maxTimeNs] = [-(2n ** 63n), 2n ** 63n - 1n]

/** Converts milliseconds to nanoseconds. Times that no record can have become the first or the last possible one. */
export const toNanoseconds = (timestampMs: number): bigint => {
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

/** What a text search covers. */
interface TextSearch {
  /** Columns that may contain the text anywhere. */
  columns: readonly string[]
  /** Conditions of which any one is enough. They may contain the trimmed text as `searchedValue`. */
  conditions: readonly string[]
}

/** Identifies a call of an owner. */
export interface CallKey {
  timeNs: bigint
  callKey: bigint
}

/** The fastest function that finds a text in a column, ignoring case: numbers have no case, and most texts are ASCII. */
const chooseSearchFunction = (text: string): string => {
  if (text.toLowerCase() === text.toUpperCase()) return 'position'
  return /^[\x20-\x7e]*$/.test(text) ? 'positionCaseInsensitive' : 'positionCaseInsensitiveUTF8'
}

const withSearch = (
  { where, params }: QueryConditions,
  text: string,
  { columns, conditions }: TextSearch,
): QueryConditions => {
  const search = chooseSearchFunction(text)
  const matches = [...columns.map((column) => `${search}(${column}, {searchText:String}) > 0`), ...conditions]
  return {
    where: [...where, `(${matches.map((match) => `ifNull(${match}, 0)`).join(' or ')})`],
    params: { ...params, searchText: text, searchedValue: text.trim() },
  }
}

/**
 * Calls with the complete text as their SID or Call-ID were found before, because these columns are the largest ones and
 * reading them takes most of the time of a search.
 */
const buildCallSearch = (exactMatches: readonly CallKey[]): TextSearch => ({
  columns: ['`from`', '`to`', 'trunk', 'termination_reason'],
  conditions:
    exactMatches.length === 0
      ? []
      : [`(time_ns, call_key) in (${exactMatches.map(({ timeNs, callKey }) => `(${timeNs}, ${callKey})`).join(', ')})`],
})

const alertSearch: TextSearch = {
  columns: ['message', 'detail', 'alert_type', 'vendor'],
  conditions: ['target_sid = {searchedValue:String}'],
}

/** The called number of an inbound call, and the calling number of another one. See `CallHistory.countByNumber`. */
export const phoneNumberExpression = `replaceRegexpOne(
  lowerUTF8(ifNull(if(direction = 'inbound', \`to\`, \`from\`), '')), '^\\\\+', '')`

/** Selects the calls of phone numbers. */
export const withNumbers = ({ where, params }: QueryConditions, numbers: readonly string[]): QueryConditions => ({
  where: [...where, `direction in ('inbound', 'outbound') and ${phoneNumberExpression} in {numbers:Array(String)}`],
  params: { ...params, numbers: numbers.map(toComparableNumber) },
})

/** Without a reported answer, a call counts as not answered. */
const answeredCondition = (answered: boolean) => `ifNull(answered, '') ${answered ? '=' : '!='} 'true'`

/** Selects the calls that a filter matches. `exactMatches`: the calls whose SID or Call-ID is the text of the filter. */
export const buildCallConditions = (
  tenant: Tenant,
  filter: CallFilter,
  { oldestAt, exactMatches }: { oldestAt: number; exactMatches: readonly CallKey[] },
): QueryConditions => {
  const { direction, answered, trunk, sip_status, application_sid, number, text } = filter
  let conditions = buildOwnerConditions(tenant, filter, oldestAt)
  conditions = withText(conditions, 'direction', direction)
  conditions = withCondition(conditions, answered === undefined ? undefined : answeredCondition(answered))
  // As in the SQL store, the case of trunks is ignored.
  conditions = withText(conditions, 'trunk', trunk, "lowerUTF8(ifNull(trunk, '')) = lowerUTF8({trunk:String})")
  conditions = withText(conditions, 'application_sid', application_sid)
  if (number !== undefined) conditions = withNumbers(conditions, [number])
  if (sip_status !== undefined)
    conditions = {
      where: [...conditions.where, 'ifNull(sip_status, 0) = {sip_status:Float64}'],
      params: { ...conditions.params, sip_status },
    }
  return text ? withSearch(conditions, text, buildCallSearch(exactMatches)) : conditions
}

export const buildAlertConditions = (tenant: Tenant, options: AlertListOptions, oldestAt: number): QueryConditions => {
  let conditions = buildOwnerConditions(tenant, options, oldestAt)
  for (const column of ['alert_type', 'message'] as const) conditions = withText(conditions, column, options[column])
  return options.text ? withSearch(conditions, options.text, alertSearch) : conditions
}

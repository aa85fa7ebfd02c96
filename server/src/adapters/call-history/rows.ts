import type { Alert, RecentCall } from '@trunkline/contract/shapes/recent-call'
import { arrivalField, type Kept, type Point } from '../../ports/call-history'

type Values = Record<string, unknown>
type Field = Point['fields'][string]

const callColumns = [
  'account_sid',
  'answered',
  'answered_at',
  'application_sid',
  'call_sid',
  'direction',
  'duration',
  'from',
  'host',
  'recording_url',
  'remote_host',
  'service_provider_sid',
  'sip_callid',
  'sip_parent_callid',
  'sip_status',
  'terminated_at',
  'termination_reason',
  'to',
  'trace_id',
  'trunk',
]
const alertColumns = ['account_sid', 'alert_type', 'detail', 'message', 'service_provider_sid', 'target_sid', 'vendor']

/** Columns that hold texts whatever their writer made of them, and those that hold numbers. */
const amounts = new Set(['duration', 'sip_status'])
const moments = new Set(['answered_at', 'terminated_at'])

/** A moment in milliseconds, as text or as a number, or as a date; null for none. */
const momentOut = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const moment = new Date(/^\d+$/.test(String(value)) ? Number(value) : value)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

/** From the attempt, in milliseconds since 1970, to the answer, in milliseconds; null where nobody answered or nobody says when. */
export const delayOf = ({ answered, answered_at }: Values, attempted: number): number | null => {
  const then = String(answered) === 'true' ? momentOut(answered_at) : null
  const delay = then === null ? -1 : Date.parse(then) - attempted
  return delay < 0 ? null : delay
}

export const amountOut = (value: unknown): number | null => {
  const amount = value === null || value === undefined || value === '' ? NaN : Number(value)
  return Number.isFinite(amount) ? amount : null
}

const textOut = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** All columns in the order of their names: those that every row has, and those of its writer. */
const ordered = (known: readonly string[], values: Values) =>
  [...new Set([...known, ...Object.keys(values)])].toSorted()

const valueOut = (name: string, value: unknown): unknown => {
  if (name === 'answered') return value === 'true' || value === true
  if (amounts.has(name)) return amountOut(value)
  if (moments.has(name)) return momentOut(value)
  return callColumns.includes(name) ? textOut(value) : (value ?? null)
}

/** A call as it leaves the server, out of its tags and fields. `time` is an ISO text. */
export const callRow = (time: string, values: Values): RecentCall => {
  const row: Values = { attempted_at: time }
  for (const name of ordered(callColumns, values))
    if (name !== 'attempted_at' && name !== arrivalField) row[name] = valueOut(name, values[name])
  return row as RecentCall
}

export const alertRow = (time: string, values: Values): Alert => {
  const row: Values = { time }
  for (const name of ordered(alertColumns, values))
    if (name !== 'time') row[name] = alertColumns.includes(name) ? textOut(values[name]) : (values[name] ?? null)
  return row as Alert
}

/**
 * A field in the form that all writers give it, whatever this one has; undefined where it has no such form, null where it
 * says nothing. A column of an InfluxDB has one form for everybody, so that nobody may choose it for the others.
 */
export const fieldIn = (kept: Kept, name: string, value: Field): Field | null | undefined => {
  if (!(kept === 'cdrs' ? callColumns : alertColumns).includes(name)) return value
  if (!amounts.has(name) && !moments.has(name)) return String(value)
  if (value === '') return null
  if (amounts.has(name)) return amountOut(value) ?? undefined
  const moment = typeof value === 'number' ? value : Date.parse(momentOut(value) ?? '')
  return Number.isNaN(moment) ? undefined : moment
}

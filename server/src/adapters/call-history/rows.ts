import type { Alert, RecentCall } from '@trunkline/contract/shapes/recent-call'
import { arrivalField, type Measurement, type Point } from '../../ports/call-history'

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

/** Columns whose values are numbers; all other known columns hold text. */
const numberColumns = new Set(['duration', 'sip_status'])
const timestampColumns = new Set(['answered_at', 'terminated_at'])

/** Reads milliseconds (as text or number) or a date, and returns an ISO timestamp, or null. */
const formatTimestamp = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const timestamp = new Date(/^\d+$/.test(String(value)) ? Number(value) : value)
  return Number.isNaN(timestamp.getTime()) ? null : timestamp.toISOString()
}

/**
 * Milliseconds from the attempt to the answer; null if the call was not answered or the answer time is unknown. `attemptedAt`
 * is in milliseconds since 1970.
 */
export const computeAnswerDelayMs = ({ answered, answered_at }: Values, attemptedAt: number): number | null => {
  const answeredAt = String(answered) === 'true' ? formatTimestamp(answered_at) : null
  const delayMs = answeredAt === null ? -1 : Date.parse(answeredAt) - attemptedAt
  return delayMs < 0 ? null : delayMs
}

export const parseNumber = (value: unknown): number | null => {
  const number = value === null || value === undefined || value === '' ? NaN : Number(value)
  return Number.isFinite(number) ? number : null
}

const formatText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns all columns in alphabetical order: the known ones, and those that the writer added. */
const sortColumns = (knownColumns: readonly string[], values: Values) =>
  [...new Set([...knownColumns, ...Object.keys(values)])].toSorted()

const formatValue = (name: string, value: unknown): unknown => {
  if (name === 'answered') return value === 'true' || value === true
  if (numberColumns.has(name)) return parseNumber(value)
  if (timestampColumns.has(name)) return formatTimestamp(value)
  return callColumns.includes(name) ? formatText(value) : (value ?? null)
}

/** Builds the API record of a call from its tags and fields. `time` is the ISO timestamp of the attempt. */
export const toCallRow = (time: string, values: Values): RecentCall => {
  const row: Values = { attempted_at: time }
  for (const name of sortColumns(callColumns, values))
    if (name !== 'attempted_at' && name !== arrivalField) row[name] = formatValue(name, values[name])
  return row as RecentCall
}

export const toAlertRow = (time: string, values: Values): Alert => {
  const row: Values = { time }
  for (const name of sortColumns(alertColumns, values))
    if (name !== 'time') row[name] = alertColumns.includes(name) ? formatText(values[name]) : (values[name] ?? null)
  return row as Alert
}

/**
 * Converts a field to the type that all writers use for it: undefined if that is impossible, null if the field is empty. A
 * column of an InfluxDB has one type for everybody, so no writer may choose it for the others.
 */
export const normalizeField = (measurement: Measurement, name: string, value: Field): Field | null | undefined => {
  if (!(measurement === 'cdrs' ? callColumns : alertColumns).includes(name)) return value
  if (!numberColumns.has(name) && !timestampColumns.has(name)) return String(value)
  if (value === '') return null
  if (numberColumns.has(name)) return parseNumber(value) ?? undefined
  const timestamp = typeof value === 'number' ? value : Date.parse(formatTimestamp(value) ?? '')
  return Number.isNaN(timestamp) ? undefined : timestamp
}

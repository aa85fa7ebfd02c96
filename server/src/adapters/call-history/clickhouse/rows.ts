import type { Alert, RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { Measurement } from '../../../ports/call-history'
import { toAlertRow, toCallRow } from '../rows'
import type { Values } from './connection'
import { isOwnerColumn, recordTables, selectedNamesOf } from './tables'

/** Values of fields without a column start with the time of their arrival, so that ClickHouse can merge them. */
const arrivalDigits = 16
let lastArrivalUs = 0

/** Returns a text that sorts after the texts of all earlier calls. */
export const nextArrivalPrefix = (): string => {
  lastArrivalUs = Math.max(lastArrivalUs + 1, Date.now() * 1000)
  return `${lastArrivalUs}`.padStart(arrivalDigits, '0')
}

const parseFields = (fields: unknown): Values =>
  Object.fromEntries(
    Object.entries((fields ?? {}) as Record<string, string>).map(([name, value]) => [
      name,
      JSON.parse(value.slice(arrivalDigits)) as unknown,
    ]),
  )

/** Returns the tags and fields of a row, without those that the record does not have. */
export const readRecordValues = (row: Values): Values => ({
  ...parseFields(row.fields),
  ...Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => value !== null && name !== 'fields' && !(value === '' && isOwnerColumn(name)),
    ),
  ),
})

/** Converts nanoseconds as text to an ISO timestamp. */
export const formatTimeNs = (timeNs: unknown): string =>
  new Date(Number(BigInt(String(timeNs)) / 1_000_000n)).toISOString()

const toTimeAndValues = ({ time_ns, ...row }: Values): [string, Values] => [
  formatTimeNs(time_ns),
  readRecordValues(row),
]

export const toCall = (row: Values): RecentCall => toCallRow(...toTimeAndValues(row))
export const toAlert = (row: Values): Alert => toAlertRow(...toTimeAndValues(row))

/** Converts a tuple of the selected columns to a row. */
export const tupleToRow = (measurement: Measurement, tuple: readonly unknown[]): Values =>
  Object.fromEntries(selectedNamesOf(recordTables[measurement]).map((name, index) => [name, tuple[index]]))

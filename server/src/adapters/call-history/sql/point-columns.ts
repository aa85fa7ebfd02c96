import { searchedBytes } from '../../../db/migrations/0004-call-history'
import type { Measurement } from '../../../ports/call-history'
import { computeAnswerDelayMs, parseNumber } from '../rows'
import { kindOfRow, type IndexedCall } from './call-block'
import type { Values } from './dedupe'
import type { CountedRow } from './hour-counts'
import { alertKind, digestOf } from './time-ids'

/** The columns of a call or an alert. */
export type Columns = Record<string, string | number | Buffer | null>

const maxInt32 = 2 ** 31 - 1

const toTextColumn = (value: Values[string] | undefined, maxLength: number): string | null =>
  value === undefined || value === '' ? null : String(value).slice(0, maxLength)

const toDigestColumn = (value: Values[string] | undefined): number | null =>
  value === undefined || value === '' ? null : digestOf(String(value))

const toIntegerColumn = (value: unknown): number => Math.min(maxInt32, Math.max(0, Math.round(parseNumber(value) ?? 0)))

const clampDelay = (delayMs: number | null) => (delayMs === null ? null : Math.min(maxInt32, delayMs))

/**
 * Encodes the calling or the called number for text search: in lower case, because it may be a SIP URI, and cut so that
 * both numbers and a line break fit into the column.
 */
const toSearchableBytes = (phoneNumber: Values[string] = '') =>
  Buffer.from(String(phoneNumber).toLowerCase()).subarray(0, searchedBytes / 2 - 1)

const answeredColumnValues = new Map([
  ['true', 1],
  ['false', 0],
])

/** Builds the columns of a point. `values` are its tags and fields. */
export const toColumns: Record<Measurement, (values: Values, timeNs: bigint) => Columns> = {
  cdrs: (values, timeNs) => ({
    service_provider_sid: toTextColumn(values.service_provider_sid, 36),
    account_sid: toTextColumn(values.account_sid, 36),
    direction: values.direction === 'inbound' || values.direction === 'outbound' ? values.direction : null,
    answered: answeredColumnValues.get(String(values.answered)) ?? null,
    trunk: toTextColumn(values.trunk, 255),
    sip_status: toIntegerColumn(values.sip_status),
    seconds: toIntegerColumn(values.duration),
    delay: clampDelay(computeAnswerDelayMs(values, Number(timeNs / 1_000_000n))),
    call_sid_digest: toDigestColumn(values.call_sid),
    sip_callid_digest: toDigestColumn(values.sip_callid),
    trace_id_digest: toDigestColumn(values.trace_id),
    numbers: Buffer.concat([toSearchableBytes(values.from), Buffer.from('\n'), toSearchableBytes(values.to)]),
    point: JSON.stringify(values),
  }),
  alerts: (values) => ({
    service_provider_sid: toTextColumn(values.service_provider_sid, 36),
    account_sid: toTextColumn(values.account_sid, 36),
    alert_type: toTextColumn(values.alert_type, 255),
    point: JSON.stringify(values),
  }),
}

/** Types the columns of a call or an alert as the indexes of both expect them. The value is unchanged. */
export const toIndexedRow = (row: Columns) => row as unknown as IndexedCall

/** Converts the columns of a call or an alert to the row that the hour counts add up. */
export const toCountedRow = (measurement: Measurement, row: Columns): CountedRow => ({
  ...toIndexedRow(row),
  kind: measurement === 'alerts' ? alertKind : kindOfRow(toIndexedRow(row)),
})

import { omitSecret } from './secret-columns'

/** Columns that are displayed, searched or formatted as text. */
const textColumns = new Set(['email', 'label', 'name', 'number', 'tenant_fqdn', 'username', 'vendor'])

/** Columns that contain an object whose fields are text or numbers. */
const objectColumns = new Set([
  'call_hook',
  'call_status_hook',
  'messaging_hook',
  'queue_event_hook',
  'register_status',
  'registration_hook',
])

/** Columns that contain an object or a list of any kind. They are not displayed in lists. */
const uncheckedColumns = new Set([
  'bucket_credential',
  'env_vars',
  'history',
  'lcr_carrier_set_entries',
  'subscription',
  'unreadable',
])

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const toReadableValue = (name: string, value: unknown): unknown => {
  if (typeof value === 'string' || value === null || value === undefined) return value
  if (!isObject(value)) return textColumns.has(name) ? JSON.stringify(value) : value
  if (uncheckedColumns.has(name)) return value
  return objectColumns.has(name) ? toReadableRow(value) : JSON.stringify(value, omitSecret)
}

/**
 * Converts values that a list cannot show, because another server may return any JSON value in a column. Objects and
 * lists in place of text become JSON.
 */
export const toReadableRow = <Row>(row: Row): Row =>
  isObject(row)
    ? (Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toReadableValue(name, value)])) as Row)
    : row

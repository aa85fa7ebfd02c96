/** A moment as the database's date columns hold it: `YYYY-MM-DD HH:MM:SS`, UTC, whole seconds. */
export const toColumnTime = (date: Date = new Date()): string => date.toISOString().slice(0, 19).replace('T', ' ')

/** A date column as the wire shows it: ISO 8601 with milliseconds. */
export const toWireTime = (column: string): string => `${column.slice(0, 10)}T${column.slice(11, 19)}.000Z`

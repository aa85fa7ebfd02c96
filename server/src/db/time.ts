/** Formats a date for a date column: `YYYY-MM-DD HH:MM:SS` in UTC. */
export const toColumnTime = (date: Date = new Date()): string => date.toISOString().slice(0, 19).replace('T', ' ')

/** Formats a date column for the API: ISO 8601 with milliseconds. */
export const toWireTime = (column: string): string => `${column.slice(0, 10)}T${column.slice(11, 19)}.000Z`

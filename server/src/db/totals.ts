import type { Engine } from './database'

export interface Totals {
  /** The total for a list, counted at most once until one of its tables changes. The key names the list and its filters. */
  get: (key: string, tables: readonly string[], count: () => Promise<number>) => Promise<number>
  /** Says that this process wrote a table. After a transaction: call it when that is committed. */
  touch: (table: string) => void
}

interface Entry {
  tables: readonly string[]
  total: Promise<number>
  until: number
}

const MYSQL_MS = 3_000
const MOST_ENTRIES = 1_000

/** Remembers list totals, so that turning pages does not count a large table again and again. */
export const totals = (engine: Engine, clock: () => number = Date.now): Totals => {
  const entries = new Map<string, Entry>()
  // A SQLite file is written by this process alone; to a MySQL database others write too.
  const life = engine === 'mysql' ? MYSQL_MS : Infinity

  const drop = (key: string, entry: Entry) => {
    if (entries.get(key) === entry) entries.delete(key)
  }

  return {
    get(key, tables, count) {
      const known = entries.get(key)
      if (known && known.until > clock()) return known.total
      if (entries.size >= MOST_ENTRIES) entries.delete(entries.keys().next().value ?? key)
      const entry: Entry = { tables, total: count(), until: clock() + life }
      entries.delete(key)
      entries.set(key, entry)
      entry.total.catch(() => drop(key, entry))
      return entry.total
    },
    touch(table) {
      for (const [key, entry] of entries) if (entry.tables.includes(table)) entries.delete(key)
    },
  }
}

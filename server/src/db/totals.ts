import type { Engine } from './database'

/** A row by which a long list is entered again: how many come before it, and by which values the list finds it. */
export interface Place {
  before: number
  at: readonly [value: unknown, key: unknown]
}

/** How long a list is, and rows at which its pages began. */
export interface Counted {
  total: number
  places: Place[]
}

export interface Totals {
  /** What is known of a list, counted at most once until one of its tables changes. The key names the list and its filters. */
  get: (key: string, tables: readonly string[], count: () => Promise<number>) => Promise<Counted>
  /** Says that this process wrote a table. After a transaction: call it when that is committed. */
  touch: (table: string) => void
}

interface Entry {
  tables: readonly string[]
  counted: Promise<Counted>
  until: number
  /** Since when its places are kept. */
  since: number
}

const MYSQL_MS = 3_000
const PLACES_MS = 60_000
const MOST_ENTRIES = 1_000
const MOST_PLACES = 200

/** Keeps where a page began, and lets go of the oldest when there are too many. */
export const notePlace = ({ places }: Counted, place: Place): void => {
  if (places.some(({ before }) => before === place.before)) return
  if (places.length >= MOST_PLACES) places.shift()
  places.push(place)
}

/** Remembers list totals, so that turning pages does not count a large table again and again. */
export const totals = (engine: Engine, clock: () => number = () => performance.now()): Totals => {
  const entries = new Map<string, Entry>()
  // A SQLite file is written by this process alone; to a MySQL database others write too.
  const life = engine === 'mysql' ? MYSQL_MS : Infinity

  const drop = (key: string, entry: Entry) => {
    if (entries.get(key) === entry) entries.delete(key)
  }

  /** A list that is as long as before has its places where they were, as far as can be known. */
  const again = async (count: () => Promise<number>, before: Promise<Counted> | undefined): Promise<Counted> => {
    const [total, old] = await Promise.all([count(), before?.catch(() => undefined)])
    return { total, places: old?.total === total ? old.places : [] }
  }

  return {
    get(key, tables, count) {
      const now = clock()
      const known = entries.get(key)
      if (known && known.until > now) return known.counted
      if (entries.size >= MOST_ENTRIES) entries.delete(entries.keys().next().value ?? key)
      const kept = known && known.since > now - PLACES_MS ? known : undefined
      const counted = again(count, kept?.counted)
      const entry: Entry = { tables, counted, until: now + life, since: kept?.since ?? now }
      entries.delete(key)
      entries.set(key, entry)
      counted.catch(() => drop(key, entry))
      return counted
    },
    touch(table) {
      for (const [key, entry] of entries) if (entry.tables.includes(table)) entries.delete(key)
    },
  }
}

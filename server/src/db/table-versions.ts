import { sql, type Kysely } from 'kysely'
import type { Tables } from './schema'
import { shareRuns } from './share-runs'
import type { SqliteFile } from './sqlite-driver'

/** The state of some tables. */
export interface TableVersion {
  /** Differs from the text of every earlier state. */
  text: string
  /** False if the tables may change without a new text, because they have just changed. */
  isSettled: boolean
}

/** Tells cheaply whether tables have changed, whichever program changed them. */
export interface TableVersions {
  read: (tables: readonly string[]) => Promise<TableVersion>
}

/** The tables that a statement reads. */
export const findTables = (statement: string): string[] => [
  ...new Set([...statement.matchAll(/\b(?:from|join)\s+["`]?(\w+)/gi)].map(([, table]) => table!.toLowerCase())),
]

const changeEvents = ['insert', 'update', 'delete']

/**
 * Counts the changes of each table with temporary triggers: they belong to this connection, not to the database. SQLite
 * itself reports commits of other connections.
 */
export const createSqliteTableVersions = (file: SqliteFile, db: Kysely<Tables>): TableVersions => {
  const changeCounts = new Map<unknown, number>()
  file.function('count_table_change', (table: unknown) => {
    changeCounts.set(table, (changeCounts.get(table) ?? 0) + 1)
    return null
  })
  const watchedTables = new Map<string, Promise<void>>()

  const createTriggers = async (table: string) => {
    for (const event of changeEvents)
      await sql`create temp trigger if not exists ${sql.ref(`count_${event}_${table}`)}
        after ${sql.raw(event)} on main.${sql.ref(table)} begin select count_table_change(${sql.lit(table)}); end`.execute(
        db,
      )
  }

  const watchTable = (table: string) => {
    const watch = watchedTables.get(table) ?? createTriggers(table)
    watchedTables.set(table, watch)
    watch.catch(() => watchedTables.delete(table))
    return watch
  }

  return {
    async read(tables) {
      await Promise.all(tables.map(watchTable))
      const otherConnections = String(file.pragma('data_version', { simple: true }))
      const text = [otherConnections, ...tables.map((table) => changeCounts.get(table) ?? 0)].join(' ')
      return { text, isSettled: true }
    },
  }
}

/** These tables change at every sign-in and every use of an API key. */
const busyTables = ['trunkline_sessions', 'api_keys']

/** Transactions take less time than this. */
const defaultSettleSeconds = 5

interface UpdateTime {
  name: string
  updated_at: string | null
  is_recent: number | null
}

/**
 * Reads when InnoDB last committed a change of each table. It keeps that time in memory, to the second: null means not since
 * the start of the database. MariaDB takes the start of the transaction, so a transaction may commit with a time that an
 * earlier check has already seen; until no such transaction can be running, the version is not settled.
 */
export const createMysqlTableVersions = (
  db: Kysely<Tables>,
  settleSeconds: number = defaultSettleSeconds,
): TableVersions => {
  const watchedTables = new Set(busyTables)

  const readUpdateTimes = shareRuns(async () => {
    const { rows } = await sql<UpdateTime>`select lower(table_name) as name, update_time as updated_at,
        update_time > now() - interval ${sql.lit(settleSeconds)} second as is_recent
      from information_schema.tables
      where table_schema = database() and table_name in (${sql.join([...watchedTables])})`.execute(db)
    return new Map(rows.map((row) => [row.name, row]))
  })

  return {
    async read(tables) {
      for (const table of tables) watchedTables.add(table)
      const updateTimes = await readUpdateTimes()
      // Some databases report no update times at all.
      const isReported = [...updateTimes.values()].some(({ updated_at }) => updated_at !== null)
      const times = tables.map((table) => updateTimes.get(table))
      return {
        text: times.map((time) => time?.updated_at).join(' '),
        isSettled: isReported && times.every((time) => time !== undefined && !time.is_recent),
      }
    },
  }
}

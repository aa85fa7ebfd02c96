import { sql, type RawBuilder } from 'kysely'
import type { Database } from './database'
import type { RepositoryOptions } from './repository-options'

/** The SQL fragments that every select of a table uses. */
export const buildSelectFragments = ({ ownership, extraColumns = sql``, extraJoins = sql`` }: RepositoryOptions) => ({
  key: sql.ref(`t.${ownership.key}`),
  fromTable: sql`from ${sql.table(ownership.table)} t`,
  joins: sql`${ownership.joins} ${extraJoins}`,
  selectRows: sql`select t.*, ${ownership.provider} as owner_provider, ${ownership.account} as owner_account ${extraColumns}`,
})

/** All conditions must hold; without conditions, every row matches. */
export const joinWithAnd = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`1 = 1`

/** Makes either engine use one index. */
export interface IndexHint {
  /** To read rows in the order of the index. */
  scan: RawBuilder<unknown>
  /** To start reading in the middle of the index. */
  seek: RawBuilder<unknown>
}

/**
 * Returns a function that resolves to the hint for the sort index, or to undefined if the database lacks that index: the
 * platform's own database may. The lookup runs once.
 */
export const createIndexHintLoader = (
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  { ownership: { table }, sortIndex }: RepositoryOptions,
): (() => Promise<IndexHint | undefined>) => {
  if (!sortIndex) return () => Promise.resolve(undefined)
  if (engine === 'sqlite') {
    const hint = sql`indexed by ${sql.ref(`${table}_${sortIndex}`)}`
    return () => Promise.resolve<IndexHint | undefined>({ scan: hint, seek: hint })
  }
  let hintPromise: Promise<IndexHint | undefined> | undefined
  const findIndex = async () => {
    const { rows } = await sql`select 1 from information_schema.statistics
      where table_schema = database() and table_name = ${table} and index_name = ${sortIndex} limit 1`.execute(db)
    const index = sql.ref(sortIndex)
    return rows.length > 0
      ? { scan: sql`force index for order by (${index})`, seek: sql`force index (${index})` }
      : undefined
  }
  return () => {
    hintPromise ??= findIndex().catch((error: unknown) => {
      hintPromise = undefined
      throw error
    })
    return hintPromise
  }
}

/** How the rows of a list are sorted. */
export interface SortOrder {
  column: string
  isDescending: boolean
  /** The value that rows are sorted by. */
  value: RawBuilder<unknown>
  /** The value comes from a joined table. */
  needsJoins: boolean
}

/** The order that a client requested, if it may sort by that column; otherwise by the fallback. */
export const parseSortOrder = (
  { sortableColumns, sortExpressions }: RepositoryOptions,
  sort: string | undefined,
  fallback: string,
): SortOrder => {
  const requestedColumn = sort?.replace(/^-/, '')
  const column = requestedColumn && sortableColumns.includes(requestedColumn) ? requestedColumn : fallback
  const expression = sortExpressions?.[column]
  return {
    column,
    isDescending: column === requestedColumn && sort?.startsWith('-') === true,
    value: expression ?? sql.ref(`t.${column}`),
    needsJoins: expression !== undefined,
  }
}

/** The key breaks ties, so that no row is on two pages or missing from all of them. */
export const buildOrderBy = (value: RawBuilder<unknown>, key: RawBuilder<unknown>, isDescending: boolean) => {
  const direction = isDescending ? sql`desc` : sql`asc`
  return sql`order by ${value} ${direction}, ${key} ${direction}`
}

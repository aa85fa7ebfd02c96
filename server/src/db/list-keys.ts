import { sql, type RawBuilder } from 'kysely'
import type { Database } from './database'
import type { PageQuery } from './page-query'
import type { RepositoryOptions } from './repository-options'
import type { ListCache, ListState } from './list-cache'
import { packKeys } from './key-list'
import { buildOrderBy, buildSelectFragments, joinWithAnd, type IndexHint, type SortOrder } from './select-fragments'
import { findTables } from './table-versions'

/** By default, the keys of longer lists are not cached: the database sorts them for every page. */
const defaultMaxCachedKeys = 100_000
/** A text that more rows contain is found so often that reading the index from one page to the next is fast. */
const maxIndexedMatches = 2000

/** The query of a list, and how to read its table. */
export interface ListKeysQuery {
  query: Pick<PageQuery, 'alternatives' | 'rowReach' | 'filters' | 'text'>
  order: SortOrder
  hint: IndexHint | undefined
}

/** Reads and caches the keys of whole lists, so that a page needs no sorting. */
export const createListKeys = ({ db }: Pick<Database, 'db'>, listCache: ListCache, options: RepositoryOptions) => {
  const { key, fromTable, joins } = buildSelectFragments(options)
  const maxCachedKeys = options.maxCachedKeys ?? defaultMaxCachedKeys
  const indexedColumn = options.sortableColumns[0]

  /** Looks for the text first: checking the owner of every row takes longer. With the condition on its column, MySQL looks in the index. */
  const buildTextBranch = ({ rowReach, filters, text }: ListKeysQuery['query'], hint: IndexHint | undefined) => {
    const isInIndex = hint ? [sql`${sql.ref(`t.${indexedColumn}`)} >= ''`] : []
    const where = joinWithAnd([...isInIndex, ...(text ? [text] : []), rowReach, filters])
    return sql`${fromTable} ${hint?.seek ?? sql``} ${joins} where ${where}`
  }

  const buildStatement = ({ query, order, hint }: ListKeysQuery, limit: number) => {
    const { alternatives, filters, text } = query
    const branches: RawBuilder<unknown>[] = text
      ? [buildTextBranch(query, hint)]
      : alternatives.map((alternative) => {
          return sql`${fromTable} ${order.needsJoins ? joins : sql``} where ${alternative} and ${filters}`
        })
    const selects = branches.map((branch) => sql`select ${order.value} as sort_value, ${key} as page_key ${branch}`)
    const orderBy = buildOrderBy(sql.ref('sort_value'), sql.ref('page_key'), order.isDescending)
    return sql<{ page_key: string }>`${sql.join(selects, sql` union all `)} ${orderBy} limit ${sql.lit(limit)}`
  }

  /** The keys of a list in its order. Undefined if they are too many. */
  return async (listQuery: ListKeysQuery): Promise<ListState['keys']> => {
    const { order, query, hint } = listQuery
    const isInIndexOrder = hint !== undefined && query.text !== undefined && order.column === indexedColumn
    const max = isInIndexOrder ? maxIndexedMatches : maxCachedKeys
    const statement = buildStatement(listQuery, max + 1).compile(db)
    const id = `${statement.sql} ${JSON.stringify(statement.parameters)}`
    const { keys } = await listCache.get(id, findTables(statement.sql), async () => {
      const { rows } = await db.executeQuery(statement)
      return rows.length > max
        ? { total: Infinity, bookmarks: [] }
        : { total: rows.length, keys: packKeys(rows.map(({ page_key }) => page_key)), bookmarks: [] }
    })
    return keys
  }
}

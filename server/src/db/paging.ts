import { sql } from 'kysely'
import type { Database } from './database'
import { addBookmark, type ListCache, type ListState, type PageBookmark } from './list-cache'
import { createListKeys } from './list-keys'
import type { PageQuery } from './page-query'
import type { RepositoryOptions, Row } from './repository-options'
import {
  buildOrderBy,
  buildSelectFragments,
  createIndexHintLoader,
  joinWithAnd,
  parseSortOrder,
  type IndexHint,
  type SortOrder,
} from './select-fragments'
import { findTables } from './table-versions'

/** Where to start reading: at the start of the list, at its end, or at the first row of an earlier page. */
interface PageStart {
  /** Rows that the engine reads and discards. */
  skippedRows: number
  fromEnd?: true
  bookmark?: PageBookmark
}

/** Up to this number of rows, the filter's index finds them and the engine sorts them. Longer lists use the index in sort order. */
const maxSortedRows = 2000
/** Up to this number of rows, the owner is checked row by row. Above it, collecting the owner's accounts first is faster. */
const maxRowChecks = 5000

/** Skipped rows are still read, so a page starts from wherever the fewest rows are skipped. */
const findCheapestStart = (
  { limit, offset }: PageQuery,
  { total, bookmarks }: ListState,
  canUseBookmarks: boolean,
): PageStart => {
  const starts: PageStart[] = [
    { skippedRows: offset },
    { skippedRows: Math.max(0, total - offset - limit), fromEnd: true },
  ]
  if (canUseBookmarks)
    for (const bookmark of bookmarks)
      if (bookmark.precedingRows <= offset) starts.push({ skippedRows: offset - bookmark.precedingRows, bookmark })
  return starts.reduce((a, b) => (b.skippedRows < a.skippedRows ? b : a))
}

/**
 * Counts the rows that match one of the alternatives and the filters. One count per alternative can use an index; an `or`
 * cannot.
 */
const createRowCounter = (
  { db }: Pick<Database, 'db'>,
  listCache: ListCache,
  { fromTable }: Pick<ReturnType<typeof buildSelectFragments>, 'fromTable'>,
) => {
  return ({ alternatives, filters, text }: PageQuery): Promise<ListState> => {
    const conditions = joinWithAnd([...(text ? [text] : []), filters])
    const counts = alternatives.map(
      (alternative) => sql`(select count(*) ${fromTable} where ${alternative} and ${conditions})`,
    )
    const statement = sql<{ total: number | string }>`select ${sql.join(counts, sql` + `)} as total`.compile(db)
    const id = `${statement.sql} ${JSON.stringify(statement.parameters)}`
    return listCache.get(id, findTables(statement.sql), async () => {
      const { rows } = await db.executeQuery(statement)
      return { total: Number(rows[0]?.total ?? 0), bookmarks: [] }
    })
  }
}

/** Builds queries for the keys of one page, for lists that are too long to load all keys. */
const createKeyQueryBuilder = (options: RepositoryOptions) => {
  const { key, fromTable, joins } = buildSelectFragments(options)
  const column = sql.ref(`t.${options.sortableColumns[0]}`)

  const orderAndLimit = (query: PageQuery, { total }: ListState, order: SortOrder, start: PageStart) => {
    const { limit, offset } = query
    const { skippedRows, fromEnd } = start
    return fromEnd
      ? sql`${buildOrderBy(order.value, key, !order.isDescending)} limit ${Math.max(0, Math.min(limit, total - offset))} offset ${skippedRows}`
      : sql`${buildOrderBy(order.value, key, order.isDescending)} limit ${limit} offset ${skippedRows}`
  }

  const conditionsOf = (query: PageQuery, checksRows: boolean) => {
    const reach = checksRows ? query.rowReach : sql`(${sql.join(query.alternatives, sql` or `)})`
    return joinWithAnd([reach, ...(query.text ? [query.text] : []), query.filters])
  }

  return {
    sorted(query: PageQuery, state: ListState, order: SortOrder) {
      const from = sql`${fromTable} ${order.needsJoins ? joins : sql``}`
      const orderClause = orderAndLimit(query, state, order, findCheapestStart(query, state, false))
      return sql`select ${key} as page_key ${from} where ${conditionsOf(query, false)} ${orderClause}`
    },

    inIndexOrder(query: PageQuery, state: ListState, order: SortOrder, hint: IndexHint) {
      const start = findCheapestStart(query, state, !order.isDescending)
      const startsAtBookmark = ({ position: [value, sid] }: PageBookmark) =>
        sql`${column} >= ${value} and (${column} > ${value} or ${key} >= ${sid})`
      const checksRows = start.skippedRows <= maxRowChecks
      const from = sql`${fromTable} ${start.bookmark ? hint.seek : hint.scan} ${checksRows ? joins : sql``}`
      const where = joinWithAnd([
        conditionsOf(query, checksRows),
        ...(start.bookmark ? [startsAtBookmark(start.bookmark)] : []),
      ])
      return sql`select ${key} as page_key ${from} where ${where} ${orderAndLimit(query, state, order, start)}`
    },
  }
}

/** Builds the `order by` of lists of one table and reads their pages. */
export const createPager = (
  database: Pick<Database, 'db' | 'engine'>,
  listCache: ListCache,
  options: RepositoryOptions,
) => {
  const { db } = database
  const fragments = buildSelectFragments(options)
  const { key, fromTable, joins, selectRows } = fragments
  const defaultColumn = options.sortableColumns[0]
  const loadIndexHint = createIndexHintLoader(database, options)
  const countRows = createRowCounter(database, listCache, fragments)
  const loadKeys = createListKeys(database, listCache, options)
  const buildKeyQuery = createKeyQueryBuilder(options)

  /** The owner is checked again: a row may have moved to another one since its key was cached. */
  const readRowsByKeys = async ({ rowReach }: PageQuery, keys: readonly string[]): Promise<Row[]> => {
    if (keys.length === 0) return []
    const { rows } =
      await sql<Row>`${selectRows} ${fromTable} ${joins} where ${key} in (${sql.join(keys)}) and ${rowReach}`.execute(
        db,
      )
    const rowsByKey = new Map(rows.map((row) => [row[options.ownership.key], row]))
    return keys.map((pageKey) => rowsByKey.get(pageKey)).filter((row) => row !== undefined)
  }

  const readLongList = async (query: PageQuery, order: SortOrder, hint: IndexHint | undefined) => {
    const state = await countRows(query)
    const isInIndexOrder = hint !== undefined && order.column === defaultColumn && state.total > maxSortedRows
    const keyQuery = isInIndexOrder
      ? buildKeyQuery.inIndexOrder(query, state, order, hint)
      : buildKeyQuery.sorted(query, state, order)
    const { rows } = await sql<Row>`${selectRows} from (${keyQuery}) p join ${sql.table(options.ownership.table)} t
      on ${key} = p.page_key ${joins} ${buildOrderBy(order.value, key, order.isDescending)}`.execute(db)
    const firstRow = rows[0]
    if (isInIndexOrder && firstRow && !order.isDescending && query.offset > 0)
      addBookmark(state, {
        precedingRows: query.offset,
        position: [firstRow[defaultColumn], firstRow[options.ownership.key]],
      })
    return { total: state.total, rows }
  }

  return {
    /** The `order by` of a list without pages. */
    orderBy: (sort: string | undefined, fallback: string) => {
      const { value, isDescending } = parseSortOrder(options, sort, fallback)
      return buildOrderBy(value, key, isDescending)
    },

    /** The rows of one page, and the length of the list. */
    async read(query: PageQuery): Promise<{ total: number; rows: Row[] }> {
      const order = parseSortOrder(options, query.sort, defaultColumn)
      const hint = await loadIndexHint()
      const isSortedByIndex = hint !== undefined && order.column === defaultColumn && query.text === undefined
      const keys = isSortedByIndex ? undefined : await loadKeys({ query, order, hint })
      if (!keys) return readLongList(query, order, hint)
      const rows = await readRowsByKeys(query, keys.slice(query.offset, query.offset + query.limit))
      return { total: keys.length, rows }
    },
  }
}

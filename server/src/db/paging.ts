import { sql, type RawBuilder } from 'kysely'
import type { Database, DatabaseEngine } from './database'
import type { Connection, RepositoryOptions, Row } from './repository-options'
import { addBookmark, type ListCount, type PageBookmark } from './list-counts'

/** One page of a list. */
interface PageQuery {
  where: RawBuilder<unknown>
  /** The same condition, but the owner of each row is read through joins. */
  rowWhere: RawBuilder<unknown>
  sort: string | undefined
  listCount: ListCount
  limit: number
  offset: number
}

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

/** The SQL fragments that every select of a table uses. */
export const buildSelectFragments = ({ ownership, extraColumns = sql``, extraJoins = sql`` }: RepositoryOptions) => ({
  key: sql.ref(`t.${ownership.key}`),
  fromTable: sql`from ${sql.table(ownership.table)} t`,
  joins: sql`${ownership.joins} ${extraJoins}`,
  selectRows: sql`select t.*, ${ownership.provider} as owner_provider, ${ownership.account} as owner_account ${extraColumns}`,
})

/** Makes either engine use one index. */
interface IndexHint {
  /** To read rows in the order of the index. */
  scan: RawBuilder<unknown>
  /** To start reading in the middle of the index. */
  seek: RawBuilder<unknown>
}

/**
 * Returns a function that resolves to the hint for the sort index, or to undefined if the database lacks that index: the
 * platform's own database may. The lookup runs once.
 */
const createIndexHintLoader = (
  db: Connection,
  engine: DatabaseEngine,
  { ownership: { table }, sortIndex }: RepositoryOptions,
) => {
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

/** Skipped rows are still read, so a page starts from wherever the fewest rows are skipped. */
const findCheapestStart = (
  { listCount: { total, bookmarks }, offset, limit }: PageQuery,
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

/** Builds the `order by` of lists of one table and reads their pages. */
export const createPager = ({ db, engine }: Pick<Database, 'db' | 'engine'>, options: RepositoryOptions) => {
  const { key, fromTable, joins, selectRows } = buildSelectFragments(options)
  const defaultColumn = options.sortableColumns[0]
  const loadIndexHint = createIndexHintLoader(db, engine, options)

  const sortOrderOf = (sort: string | undefined, fallback: string) => {
    const requestedColumn = sort?.replace(/^-/, '')
    const column = requestedColumn && options.sortableColumns.includes(requestedColumn) ? requestedColumn : fallback
    const isDescending = column === requestedColumn && sort?.startsWith('-') === true
    const expression = options.sortExpressions?.[column]
    const direction = (descending: boolean) => (descending ? sql`desc` : sql`asc`)
    // The key breaks ties, so that no row is on two pages or missing from all of them.
    const orderBy = (descending: boolean) =>
      sql`order by ${expression ?? sql.ref(`t.${column}`)} ${direction(descending)}, ${key} ${direction(descending)}`
    return {
      orderBy: orderBy(isDescending),
      reverseOrderBy: orderBy(!isDescending),
      column,
      isDescending,
      needsJoins: expression !== undefined,
    }
  }
  type SortOrder = ReturnType<typeof sortOrderOf>

  /** `keyQuery` selects the keys of one page, from an index where possible. Only these rows are then read with their joins. */
  const readRowsByKeys = async (keyQuery: RawBuilder<unknown>, { orderBy }: SortOrder) =>
    (
      await sql<Row>`${selectRows} from (${keyQuery}) p join ${sql.table(options.ownership.table)} t on ${key} = p.page_key
        ${joins} ${orderBy}`.execute(db)
    ).rows

  const orderAndLimit = (
    { listCount: { total }, limit, offset }: PageQuery,
    { orderBy, reverseOrderBy }: SortOrder,
    { skippedRows, fromEnd }: PageStart,
  ) =>
    fromEnd
      ? sql`${reverseOrderBy} limit ${Math.max(0, Math.min(limit, total - offset))} offset ${skippedRows}`
      : sql`${orderBy} limit ${limit} offset ${skippedRows}`

  const readBySorting = (query: PageQuery, order: SortOrder) => {
    const from = sql`${fromTable} ${order.needsJoins ? joins : sql``}`
    const orderClause = orderAndLimit(query, order, findCheapestStart(query, false))
    return readRowsByKeys(sql`select ${key} as page_key ${from} where ${query.where} ${orderClause}`, order)
  }

  const readInIndexOrder = async (query: PageQuery, order: SortOrder, hint: IndexHint) => {
    const start = findCheapestStart(query, !order.isDescending)
    const column = sql.ref(`t.${defaultColumn}`)
    const startsAtBookmark = ({ position: [value, sid] }: PageBookmark) =>
      sql` and ${column} >= ${value} and (${column} > ${value} or ${key} >= ${sid})`
    const checksRows = start.skippedRows <= maxRowChecks
    const from = sql`${fromTable} ${start.bookmark ? hint.seek : hint.scan} ${checksRows ? joins : sql``}`
    const where = sql`${checksRows ? query.rowWhere : query.where}${start.bookmark ? startsAtBookmark(start.bookmark) : sql``}`
    const rows = await readRowsByKeys(
      sql`select ${key} as page_key ${from} where ${where} ${orderAndLimit(query, order, start)}`,
      order,
    )
    const firstRow = rows[0]
    if (firstRow && !order.isDescending && query.offset > 0)
      addBookmark(query.listCount, {
        precedingRows: query.offset,
        position: [firstRow[defaultColumn], firstRow[options.ownership.key]],
      })
    return rows
  }

  return {
    /** The `order by` of a list without pages. */
    orderBy: (sort: string | undefined, fallback: string) => sortOrderOf(sort, fallback).orderBy,

    /** The rows of one page. Long lists need the index hint: without it the engines use a filter's index and sort all rows. */
    async read(query: PageQuery): Promise<Row[]> {
      const order = sortOrderOf(query.sort, defaultColumn)
      const isLong = query.listCount.total > maxSortedRows && order.column === defaultColumn
      const hint = isLong ? await loadIndexHint() : undefined
      return hint ? readInIndexOrder(query, order, hint) : readBySorting(query, order)
    },
  }
}

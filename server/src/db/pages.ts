import { sql, type RawBuilder } from 'kysely'
import type { Database, Engine } from './database'
import type { Connection, Row, Ways } from './table'
import { notePlace, type Counted, type Place } from './totals'

/** One page of a list. */
interface Asked {
  where: RawBuilder<unknown>
  /** The same condition, asked of each row over the joins. */
  whereRow: RawBuilder<unknown>
  sort: string | undefined
  counted: Counted
  limit: number
  offset: number
}

/** From where a page is read: rows are skipped from the list's begin, its end, or a row at which a page began before. */
interface Way {
  /** Rows that are read and thrown away. */
  skipped: number
  fromEnd?: true
  from?: Place
}

/** Up to so many rows are found by the filter's index and sorted at once; of more, the ordered index is read instead. */
const sortedAtOnce = 2000
/** Up to so many rows are asked one by one whose they are; for more it is quicker to gather the owner's accounts first. */
const askedOneByOne = 5000

/** The pieces of every select of a table. */
export const partsOf = ({ chain, extra = sql``, extraJoins = sql`` }: Ways) => ({
  key: sql.ref(`t.${chain.key}`),
  plain: sql`from ${sql.table(chain.table)} t`,
  joins: sql`${chain.joins} ${extraJoins}`,
  whole: sql`select t.*, ${chain.provider} as owner_provider, ${chain.account} as owner_account ${extra}`,
})

/** The same index for both engines: to read in its order, and to begin in the midst of it. */
interface Index {
  order: RawBuilder<unknown>
  begin: RawBuilder<unknown>
}

/**
 * What makes an engine read a table in the order of this index; nothing where there is no such index, because a
 * platform's own database need not have every one. Asked once.
 */
const orderedIndex = (db: Connection, engine: Engine, { chain: { table }, ordered }: Ways) => {
  if (!ordered) return () => Promise.resolve(undefined)
  if (engine === 'sqlite') {
    const name = sql`indexed by ${sql.ref(`${table}_${ordered}`)}`
    return () => Promise.resolve<Index | undefined>({ order: name, begin: name })
  }
  let known: Promise<Index | undefined> | undefined
  const ask = async () => {
    const { rows } = await sql`select 1 from information_schema.statistics
      where table_schema = database() and table_name = ${table} and index_name = ${ordered} limit 1`.execute(db)
    const index = sql.ref(ordered)
    return rows.length > 0
      ? { order: sql`force index for order by (${index})`, begin: sql`force index (${index})` }
      : undefined
  }
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}

const wayTo = ({ counted: { total, places }, offset, limit }: Asked, ascending: boolean): Way => {
  const ways: Way[] = [{ skipped: offset }, { skipped: Math.max(0, total - offset - limit), fromEnd: true }]
  if (ascending)
    for (const from of places) if (from.before <= offset) ways.push({ skipped: offset - from.before, from })
  return ways.reduce((one, other) => (other.skipped < one.skipped ? other : one))
}

/** Orders and pages of one table. */
export const paged = ({ db, engine }: Pick<Database, 'db' | 'engine'>, ways: Ways) => {
  const { key, plain, joins, whole } = partsOf(ways)
  const first = ways.sortable[0]
  const ordered = orderedIndex(db, engine, ways)

  const orderOf = (sort: string | undefined, fallback: string) => {
    const wanted = sort?.replace(/^-/, '')
    const column = wanted && ways.sortable.includes(wanted) ? wanted : fallback
    const descending = column === wanted && sort?.startsWith('-') === true
    const joined = ways.named?.[column]
    const towards = (down: boolean) => (down ? sql`desc` : sql`asc`)
    // The key settles ties, so that no row is on two pages or on none.
    const by = (down: boolean) =>
      sql`order by ${joined ?? sql.ref(`t.${column}`)} ${towards(down)}, ${key} ${towards(down)}`
    return { by: by(descending), backwards: by(!descending), column, descending, joined: joined !== undefined }
  }
  type Order = ReturnType<typeof orderOf>

  /** The keys are found first, out of an index where there is one; whole rows and their joins are read only for those. */
  const rowsOf = async (keys: RawBuilder<unknown>, { by }: Order) =>
    (
      await sql<Row>`${whole} from (${keys}) p join ${sql.table(ways.chain.table)} t on ${key} = p.page_key
        ${joins} ${by}`.execute(db)
    ).rows

  /** Rows that are skipped are read all the same, so a list is entered where the fewest are. */
  const spanOf = ({ counted: { total }, limit, offset }: Asked, { by, backwards }: Order, { skipped, fromEnd }: Way) =>
    fromEnd
      ? sql`${backwards} limit ${Math.max(0, Math.min(limit, total - offset))} offset ${skipped}`
      : sql`${by} limit ${limit} offset ${skipped}`

  const readSorted = (asked: Asked, order: Order) => {
    const from = sql`${plain} ${order.joined ? joins : sql``}`
    const span = spanOf(asked, order, wayTo(asked, false))
    return rowsOf(sql`select ${key} as page_key ${from} where ${asked.where} ${span}`, order)
  }

  const readIndexed = async (asked: Asked, order: Order, index: Index) => {
    const way = wayTo(asked, !order.descending)
    const column = sql.ref(`t.${first}`)
    const entered = ({ at: [value, sid] }: Place) =>
      sql` and ${column} >= ${value} and (${column} > ${value} or ${key} >= ${sid})`
    const oneByOne = way.skipped <= askedOneByOne
    const from = sql`${plain} ${way.from ? index.begin : index.order} ${oneByOne ? joins : sql``}`
    const where = sql`${oneByOne ? asked.whereRow : asked.where}${way.from ? entered(way.from) : sql``}`
    const rows = await rowsOf(sql`select ${key} as page_key ${from} where ${where} ${spanOf(asked, order, way)}`, order)
    const begin = rows[0]
    if (begin && !order.descending && asked.offset > 0)
      notePlace(asked.counted, { before: asked.offset, at: [begin[first], begin[ways.chain.key]] })
    return rows
  }

  return {
    /** The order of a list that is not paged. */
    order: (sort: string | undefined, fallback: string) => orderOf(sort, fallback).by,

    /** The rows of one page. Of a large table the ordered index is read: engines else take a filter's index and sort all. */
    async read(asked: Asked): Promise<Row[]> {
      const order = orderOf(asked.sort, first)
      const index = asked.counted.total > sortedAtOnce && order.column === first ? await ordered() : undefined
      return index ? readIndexed(asked, order, index) : readSorted(asked, order)
    },
  }
}

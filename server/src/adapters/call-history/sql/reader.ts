import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../../../db/repository'
import type {
  CallListOptions,
  CallFilter,
  CallSum,
  ResultPage,
  Tenant,
  TimedListOptions,
} from '../../../ports/call-history'
import {
  isAnswered,
  firstIdOfHour,
  idsPerHour,
  splitHours,
  matchingKinds,
  trunkKindOffset,
  idRangeOf,
  trunkOwnerSid,
  type IdRange,
} from './time-ids'
import { ownerFilter, toStoredRows, type StoredRow } from './stored-rows'
import { searchBytes, type CallSearch } from './block-search'

type Condition = RawBuilder<unknown>
export type CallTable = 'trunkline_calls' | 'trunkline_alerts'

/** A scan of one index in order of time. */
export interface IndexScan {
  table: CallTable
  index: string
  ownerCondition: Condition
  tenant: Tenant
  owner_sid: string
  range: IdRange
  conditions: Condition[]
  /** The kinds and SIP status under which `trunkline_hour_counts` counts the matching rows. */
  kinds: number[]
  sip_status?: number | undefined
}

/** Up to this many rows are skipped with OFFSET; beyond that, hour counts locate the page. */
const maxSkippedRows = 2000

const allOf = (parts: Condition[]) => sql.join(parts, sql` and `)

/** Reads pages of calls and alerts. Totals come from hour counts where possible. */
export const sqlReader = (
  { database: { db, engine } }: Pick<Store, 'database'>,
  oldestAt: (table: CallTable) => number,
  search: CallSearch,
  isIndexed: () => Promise<boolean>,
) => {
  const tableWithIndex = ({ table, index }: IndexScan) =>
    engine === 'sqlite'
      ? sql`${sql.table(table)} indexed by ${sql.ref(`${table}_${index}`)}`
      : sql`${sql.table(table)} force index (${sql.ref(index)})`

  /** A field of the stored point, as SQL text. */
  const pointField = (name: string) => {
    const value = sql`json_extract(point, ${`$.${name}`})`
    return engine === 'sqlite' ? value : sql`json_unquote(${value})`
  }

  const inRange = ({ low, high }: IdRange) => sql`id between ${low} and ${high}`
  const whereOf = ({ ownerCondition, range, conditions }: IndexScan) =>
    allOf([ownerCondition, inRange(range), ...conditions])

  const selectNumbers = async (statement: RawBuilder<{ number: number | string | null }>) =>
    (await statement.execute(db)).rows.map(({ number }) => Number(number ?? 0))

  const countSql = (scan: IndexScan) => sql`(select count(*) from ${tableWithIndex(scan)} where ${whereOf(scan)})`

  const countRows = async (scan: IndexScan) => (await selectNumbers(sql`select ${countSql(scan)} as number`))[0] ?? 0

  const hourCountsSql = (
    { owner_sid, kinds, sip_status }: IndexScan,
    { first, end }: { first: number; end: number },
  ) => {
    return sql`from trunkline_hour_counts where owner_sid = ${owner_sid} and hour >= ${first} and hour < ${end}
      and kind in (${sql.join(kinds)}) ${sip_status === undefined ? sql`` : sql`and sip_status = ${sip_status}`}`
  }

  /** Returns the number of rows, and the id range and offset at which the page starts. */
  const locatePage = async (
    scan: IndexScan,
    offsetFor: (total: number) => number,
  ): Promise<{ total: number; range: IdRange; skip: number }> => {
    const { edges, hours } = splitHours(scan.range)
    if (edges.length === 0 && !hours) return { total: 0, range: scan.range, skip: 0 }
    const edgeCounts = edges.map((range) => countSql({ ...scan, range }))
    const hourCount = hours ? [sql`(select sum(number) ${hourCountsSql(scan, hours)})`] : []
    const counts = await selectNumbers(
      sql`${sql.join(
        [...edgeCounts, ...hourCount].map((part) => sql`select ${part} as number`),
        sql` union all `,
      )}`,
    )
    const total = counts.reduce((sum, number) => sum + number, 0)
    const offset = offsetFor(total)
    let precedingRows = hours ? rowsAfterHours(edges, counts, hours.end) : 0
    if (!hours || offset <= Math.max(maxSkippedRows, precedingRows) || offset >= total)
      return { total, range: scan.range, skip: offset }
    const { rows } = await sql<{ hour: number; number: number | string }>`
      select hour, sum(number) as number ${hourCountsSql(scan, hours)} group by hour order by hour desc`.execute(db)
    for (const { hour, number } of rows) {
      const next = precedingRows + Number(number)
      if (next > offset)
        return {
          total,
          range: { low: scan.range.low, high: Math.min(scan.range.high, firstIdOfHour(hour + 1) - 1) },
          skip: offset - precedingRows,
        }
      precedingRows = next
    }
    return {
      total,
      range: { low: scan.range.low, high: firstIdOfHour(hours.first) - 1 },
      skip: offset - precedingRows,
    }
  }

  const readRows = async ({ table, tenant }: IndexScan, ids: RawBuilder<unknown>): Promise<StoredRow[]> => {
    const { rows } = await sql<{ id: number; point: string }>`select t.id, t.point from (${ids}) p
      join ${sql.table(table)} t on t.id = p.page_id
      where ${ownerFilter(tenant).ownerCondition} order by t.id desc`.execute(db)
    return toStoredRows(rows)
  }

  const selectIds = (scan: IndexScan, limit: number, skip: number, ascending = false) =>
    sql`select id as page_id from ${tableWithIndex(scan)} where ${whereOf(scan)}
      order by id ${ascending ? sql`` : sql`desc`} limit ${limit} offset ${skip}`

  /** Reads a page without hour counts, starting at the nearer end of the list. */
  const readFromNearestEnd = (scan: IndexScan, total: number, options: TimedListOptions) => {
    const { offset, length } = pageSlice(options, total)
    if (length === 0) return Promise.resolve([])
    const fromEnd = total - offset - length
    return readRows(scan, fromEnd < offset ? selectIds(scan, length, fromEnd, true) : selectIds(scan, length, offset))
  }

  const pageByHourCounts = async (scan: IndexScan, options: TimedListOptions) => {
    const { total, range, skip } = await locatePage(scan, (total) => pageSlice(options, total).offset)
    const { length } = pageSlice(options, total)
    return { total, rows: length > 0 ? await readRows(scan, selectIds({ ...scan, range }, length, skip)) : [] }
  }

  const pageByCounting = async (scan: IndexScan, options: TimedListOptions) => {
    const total = await countRows(scan)
    return { total, rows: await readFromNearestEnd(scan, total, options) }
  }

  /** Matches a text in the table of calls, while the backfill of call blocks is incomplete. */
  const textScan = async (scan: IndexScan, text: string): Promise<IndexScan> => {
    const exactMatches = await search.exactMatches(scan.tenant, text)
    const trunks = await search.matchingTrunks(scan.tenant, text)
    const matches = [
      sql`instr(numbers, ${searchBytes(text)}) > 0`,
      sql`instr(lower(${pointField('termination_reason')}), ${text.toLowerCase()}) > 0`,
      ...(exactMatches.length > 0 ? [sql`id in (${sql.join(exactMatches)})`] : []),
      ...(trunks.length > 0 ? [sql`trunk in (${sql.join(trunks)})`] : []),
    ]
    return { ...scan, conditions: [...scan.conditions, sql`(${sql.join(matches, sql` or `)})`] }
  }

  /** Scans the table of calls, while not all calls are in call blocks. */
  const scanWithoutBlocks = async (scan: IndexScan, { text, application_sid }: CallFilter): Promise<IndexScan> => {
    const textMatches = text ? await textScan(scan, text) : scan
    if (application_sid === undefined) return textMatches
    return {
      ...textMatches,
      conditions: [...textMatches.conditions, sql`${pointField('application_sid')} = ${application_sid}`],
    }
  }

  const pageByBlocks = async (scan: IndexScan, options: CallListOptions) => {
    const { page: _page, count: _count, oldestFirst, ...filter } = options
    // Blocks are read newest first, so the offset of a page in ascending order depends on the total.
    const rowCount = oldestFirst ? (await search.page(scan.tenant, scan.range, filter, 0, 0)).total : Infinity
    const { offset, length } = pageSlice(options, rowCount)
    const { total, ids } = await search.page(scan.tenant, scan.range, filter, offset, length)
    const pageIds = sql`select id as page_id from trunkline_calls where id in (${sql.join(ids)})`
    return { total, rows: ids.length > 0 ? await readRows(scan, pageIds) : [] }
  }

  const callScan = (tenant: Tenant, options: CallFilter): IndexScan => {
    const { indexPrefix, ownerCondition, owner_sid, kindOffset } = ownerFilter(tenant)
    const { direction, answered, trunk, sip_status } = options
    return {
      table: 'trunkline_calls',
      tenant,
      index: `${indexPrefix}_${trunk === undefined ? 'idx' : 'trunk_idx'}`,
      ownerCondition,
      owner_sid: trunk === undefined ? owner_sid : trunkOwnerSid(owner_sid, trunk),
      range: idRangeOf(options, oldestAt('trunkline_calls')),
      conditions: [
        ...(direction === undefined ? [] : [sql`direction = ${direction}`]),
        ...(answered === undefined ? [] : [answered ? sql`answered = 1` : sql`(answered = 0 or answered is null)`]),
        ...(trunk === undefined ? [] : [sql`trunk = ${trunk}`]),
        ...(sip_status === undefined ? [] : [sql`sip_status = ${sip_status}`]),
      ],
      kinds: matchingKinds(options).map((kind) => kind + kindOffset + (trunk === undefined ? 0 : trunkKindOffset)),
      sip_status,
    }
  }

  /** Aggregates rows of an index. */
  const sumRows = async (scan: IndexScan): Promise<CallSum[]> => {
    const hour = engine === 'sqlite' ? sql`id / ${sql.lit(idsPerHour)}` : sql`id div ${sql.lit(idsPerHour)}`
    const { rows } = await sql<Omit<CallSum, 'answered'> & { answered: number | null }>`
      select ${hour} as hour, answered, sip_status, count(*) as number, sum(seconds) as seconds,
        count(delay) as timed, sum(delay) as delay
      from ${tableWithIndex(scan)} where ${whereOf(scan)} group by 1, 2, 3`.execute(db)
    return rows.map(({ answered, ...row }) => ({ ...toNumbers(row), answered: answered === 1 }))
  }

  const sumHourCounts = async (scan: IndexScan, hours: { first: number; end: number }): Promise<CallSum[]> => {
    const { rows } = await sql<Omit<CallSum, 'answered'> & { kind: number }>`
      select hour, kind, sip_status, number, seconds, timed, delay ${hourCountsSql(scan, hours)} and number > 0`.execute(
      db,
    )
    return rows.map(({ kind, ...row }) => ({ ...toNumbers(row), answered: isAnswered(kind) }))
  }

  return {
    async calls(tenant: Tenant, options: CallListOptions) {
      const { trunk, text, application_sid } = options
      const scan = callScan(tenant, options)
      const needsBlocks = Boolean(text) || application_sid !== undefined
      if (!needsBlocks && trunk === undefined) return orderRows(options, pageByHourCounts(scan, options))
      if (!(await isIndexed()))
        return orderRows(options, pageByCounting(await scanWithoutBlocks(scan, options), options))
      return orderRows(options, needsBlocks ? pageByBlocks(scan, options) : pageByHourCounts(scan, options))
    },

    /** Aggregates the same calls, from hour counts where possible. */
    async sums(tenant: Tenant, options: CallFilter): Promise<CallSum[]> {
      const scan = callScan(tenant, options)
      const { trunk, text, application_sid } = options
      const needsBlocks = Boolean(text) || application_sid !== undefined
      if ((needsBlocks || trunk !== undefined) && !(await isIndexed()))
        return sumRows(await scanWithoutBlocks(scan, options))
      if (needsBlocks) return search.sums(tenant, scan.range, options)
      const { edges, hours } = splitHours(scan.range)
      const edgeSums = await Promise.all(edges.map((range) => sumRows({ ...scan, range })))
      return [...edgeSums.flat(), ...(hours ? await sumHourCounts(scan, hours) : [])]
    },

    pageByHourCounts,
    pageByCounting,
    callScan,
    scanWithoutBlocks,
    tableWithIndex,
    whereOf,
    pointField,
  }
}

export type Reader = ReturnType<typeof sqlReader>

/** The offset and length of a page within a list in descending order. */
const pageSlice = ({ page, count, oldestFirst }: TimedListOptions, total: number) => {
  const start = (page - 1) * count
  const length = Math.max(0, Math.min(count, total - start))
  return { offset: oldestFirst ? Math.max(0, total - start - length) : start, length }
}

/** Rows are read newest first. */
const orderRows = async (
  { oldestFirst }: TimedListOptions,
  page: Promise<ResultPage<StoredRow>>,
): Promise<ResultPage<StoredRow>> => {
  const { total, rows } = await page
  return { total, rows: oldestFirst ? rows.toReversed() : rows }
}

/** Engines return sums as text or null. */
const toNumbers = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value ?? 0)])) as {
    [Name in keyof Row]: number
  }

/** The number of rows after the last full hour. */
const rowsAfterHours = (edges: IdRange[], counts: number[], end: number): number => {
  const index = edges.findIndex(({ low }) => low >= firstIdOfHour(end))
  return index < 0 ? 0 : (counts[index] ?? 0)
}

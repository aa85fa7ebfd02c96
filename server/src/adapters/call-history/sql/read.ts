import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../../../db/repository'
import type { CallLook, CallSift, CallSum, Found, Tenant, TimedLook } from '../../../ports/call-history'
import {
  isAnswered,
  firstIdOfHour,
  hourLength,
  hoursOf,
  kindsOf,
  ofTrunk,
  spanOf,
  trunkOwner,
  type Span,
} from './time-ids'
import { ownerOf, storedOf, type Stored } from './stored-rows'
import { searchedFor, type CallSearch } from './search'

type Condition = RawBuilder<unknown>
export type Shelf = 'trunkline_calls' | 'trunkline_alerts'

/** One walk through an index in the order of time. */
export interface Walk {
  shelf: Shelf
  index: string
  owner: Condition
  of: Tenant
  owner_sid: string
  span: Span
  rest: Condition[]
  /** The kinds of rows that it lets through, as hours are counted, and of those one status. */
  kinds: number[]
  sip_status?: number | undefined
}

/** So many rows are skipped rather than asked in which hour a page begins. */
const skipped = 2000

const all = (conditions: Condition[]) => sql.join(conditions, sql` and `)

/** Reads pages of calls and alerts, and how many there are, without counting them anew. */
export const sqlReading = (
  { database: { db, engine } }: Pick<Store, 'database'>,
  oldest: (shelf: Shelf) => number,
  search: CallSearch,
  entered: () => Promise<boolean>,
) => {
  const hinted = ({ shelf, index }: Walk) =>
    engine === 'sqlite'
      ? sql`${sql.table(shelf)} indexed by ${sql.ref(`${shelf}_${index}`)}`
      : sql`${sql.table(shelf)} force index (${sql.ref(index)})`

  /** A text that the writer said, out of the stored JSON. */
  const inPoint = (name: string) => {
    const value = sql`json_extract(point, ${`$.${name}`})`
    return engine === 'sqlite' ? value : sql`json_unquote(${value})`
  }

  const between = ({ low, high }: Span) => sql`id between ${low} and ${high}`
  const where = ({ owner, span, rest }: Walk) => all([owner, between(span), ...rest])

  const numbers = async (statement: RawBuilder<{ number: number | string | null }>) =>
    (await statement.execute(db)).rows.map(({ number }) => Number(number ?? 0))

  const countOf = (walk: Walk) => sql`(select count(*) from ${hinted(walk)} where ${where(walk)})`

  const direct = async (walk: Walk) => (await numbers(sql`select ${countOf(walk)} as number`))[0] ?? 0

  const inHours = ({ owner_sid, kinds, sip_status }: Walk, { first, end }: { first: number; end: number }) => {
    return sql`from trunkline_hour_counts where owner_sid = ${owner_sid} and hour >= ${first} and hour < ${end}
      and kind in (${sql.join(kinds)}) ${sip_status === undefined ? sql`` : sql`and sip_status = ${sip_status}`}`
  }

  /** How many rows, and where in the order of time the one stands before which `offset` others come. */
  const placed = async (
    walk: Walk,
    offsetIn: (total: number) => number,
  ): Promise<{ total: number; span: Span; skip: number }> => {
    const { edges, hours } = hoursOf(walk.span)
    if (edges.length === 0 && !hours) return { total: 0, span: walk.span, skip: 0 }
    const parts = edges.map((span) => countOf({ ...walk, span }))
    const counted = hours ? [sql`(select sum(number) ${inHours(walk, hours)})`] : []
    const each = await numbers(
      sql`${sql.join(
        [...parts, ...counted].map((part) => sql`select ${part} as number`),
        sql` union all `,
      )}`,
    )
    const total = each.reduce((sum, number) => sum + number, 0)
    const offset = offsetIn(total)
    let before = hours ? topOf(edges, each, hours.end) : 0
    if (!hours || offset <= Math.max(skipped, before) || offset >= total)
      return { total, span: walk.span, skip: offset }
    const { rows } = await sql<{ hour: number; number: number | string }>`
      select hour, sum(number) as number ${inHours(walk, hours)} group by hour order by hour desc`.execute(db)
    for (const { hour, number } of rows) {
      const next = before + Number(number)
      if (next > offset)
        return {
          total,
          span: { low: walk.span.low, high: Math.min(walk.span.high, firstIdOfHour(hour + 1) - 1) },
          skip: offset - before,
        }
      before = next
    }
    return { total, span: { low: walk.span.low, high: firstIdOfHour(hours.first) - 1 }, skip: offset - before }
  }

  const rowsOf = async ({ shelf, of }: Walk, ids: RawBuilder<unknown>): Promise<Stored[]> => {
    const { rows } = await sql<{ id: number; point: string }>`select t.id, t.point from (${ids}) p
      join ${sql.table(shelf)} t on t.id = p.page_id
      where ${ownerOf(of).owner} order by t.id desc`.execute(db)
    return storedOf(rows)
  }

  const idsOf = (walk: Walk, limit: number, skip: number, backwards = false) =>
    sql`select id as page_id from ${hinted(walk)} where ${where(walk)}
      order by id ${backwards ? sql`` : sql`desc`} limit ${limit} offset ${skip}`

  /** A page of rows that no hour counts know: entered from the end of the list that is nearer. */
  const walked = (walk: Walk, total: number, look: TimedLook) => {
    const { offset, length } = sliceOf(look, total)
    if (length === 0) return Promise.resolve([])
    const fromEnd = total - offset - length
    return rowsOf(walk, fromEnd < offset ? idsOf(walk, length, fromEnd, true) : idsOf(walk, length, offset))
  }

  const byHours = async (walk: Walk, look: TimedLook) => {
    const { total, span, skip } = await placed(walk, (all) => sliceOf(look, all).offset)
    const { length } = sliceOf(look, total)
    return { total, rows: length > 0 ? await rowsOf(walk, idsOf({ ...walk, span }, length, skip)) : [] }
  }

  const byCounting = async (walk: Walk, look: TimedLook) => {
    const total = await direct(walk)
    return { total, rows: await walked(walk, total, look) }
  }

  /** Where a text is looked for while an older version's calls are being caught up: in the index of calls. */
  const textWalk = async (walk: Walk, text: string): Promise<Walk> => {
    const named = await search.named(walk.of, text)
    const trunks = await search.trunksWith(walk.of, text)
    const matches = [
      sql`instr(numbers, ${searchedFor(text)}) > 0`,
      sql`instr(lower(${inPoint('termination_reason')}), ${text.toLowerCase()}) > 0`,
      ...(named.length > 0 ? [sql`id in (${sql.join(named)})`] : []),
      ...(trunks.length > 0 ? [sql`trunk in (${sql.join(trunks)})`] : []),
    ]
    return { ...walk, rest: [...walk.rest, sql`(${sql.join(matches, sql` or `)})`] }
  }

  /** Walks through the index of calls, for as long as not all calls are in packs. */
  const unpackedWalk = async (walk: Walk, { text, application_sid }: CallSift): Promise<Walk> => {
    const searched = text ? await textWalk(walk, text) : walk
    if (application_sid === undefined) return searched
    return { ...searched, rest: [...searched.rest, sql`${inPoint('application_sid')} = ${application_sid}`] }
  }

  const byPacks = async (walk: Walk, look: CallLook) => {
    const { page: _page, count: _count, oldestFirst, ...sift } = look
    // the newest are read first, so a page of the oldest is known by how many there are
    const all = oldestFirst ? (await search.page(walk.of, walk.span, sift, 0, 0)).total : Infinity
    const { offset, length } = sliceOf(look, all)
    const { total, ids } = await search.page(walk.of, walk.span, sift, offset, length)
    const these = sql`select id as page_id from trunkline_calls where id in (${sql.join(ids)})`
    return { total, rows: ids.length > 0 ? await rowsOf(walk, these) : [] }
  }

  const callWalk = (of: Tenant, look: CallSift): Walk => {
    const { word, owner, owner_sid, offset } = ownerOf(of)
    const { direction, answered, trunk, sip_status } = look
    return {
      shelf: 'trunkline_calls',
      of,
      index: `${word}_${trunk === undefined ? 'idx' : 'trunk_idx'}`,
      owner,
      owner_sid: trunk === undefined ? owner_sid : trunkOwner(owner_sid, trunk),
      span: spanOf(look, oldest('trunkline_calls')),
      rest: [
        ...(direction === undefined ? [] : [sql`direction = ${direction}`]),
        ...(answered === undefined ? [] : [answered ? sql`answered = 1` : sql`(answered = 0 or answered is null)`]),
        ...(trunk === undefined ? [] : [sql`trunk = ${trunk}`]),
        ...(sip_status === undefined ? [] : [sql`sip_status = ${sip_status}`]),
      ],
      kinds: kindsOf(look).map((kind) => kind + offset + (trunk === undefined ? 0 : ofTrunk)),
      sip_status,
    }
  }

  /** Adds up rows in an index. */
  const addedUp = async (walk: Walk): Promise<CallSum[]> => {
    const hour = engine === 'sqlite' ? sql`id / ${sql.lit(hourLength)}` : sql`id div ${sql.lit(hourLength)}`
    const { rows } = await sql<Omit<CallSum, 'answered'> & { answered: number | null }>`
      select ${hour} as hour, answered, sip_status, count(*) as number, sum(seconds) as seconds,
        count(delay) as timed, sum(delay) as delay
      from ${hinted(walk)} where ${where(walk)} group by 1, 2, 3`.execute(db)
    return rows.map(({ answered, ...row }) => ({ ...inNumbers(row), answered: answered === 1 }))
  }

  const addedInHours = async (walk: Walk, hours: { first: number; end: number }): Promise<CallSum[]> => {
    const { rows } = await sql<Omit<CallSum, 'answered'> & { kind: number }>`
      select hour, kind, sip_status, number, seconds, timed, delay ${inHours(walk, hours)} and number > 0`.execute(db)
    return rows.map(({ kind, ...row }) => ({ ...inNumbers(row), answered: isAnswered(kind) }))
  }

  return {
    async calls(of: Tenant, look: CallLook) {
      const { trunk, text, application_sid } = look
      const walk = callWalk(of, look)
      const isPacked = Boolean(text) || application_sid !== undefined
      if (!isPacked && trunk === undefined) return inOrder(look, byHours(walk, look))
      if (!(await entered())) return inOrder(look, byCounting(await unpackedWalk(walk, look), look))
      return inOrder(look, isPacked ? byPacks(walk, look) : byHours(walk, look))
    },

    /** The same calls, added up: out of the counts of hours as far as they go, else out of the rows. */
    async sums(of: Tenant, look: CallSift): Promise<CallSum[]> {
      const walk = callWalk(of, look)
      const { trunk, text, application_sid } = look
      const isPacked = Boolean(text) || application_sid !== undefined
      if ((isPacked || trunk !== undefined) && !(await entered())) return addedUp(await unpackedWalk(walk, look))
      if (isPacked) return search.sums(of, walk.span, look)
      const { edges, hours } = hoursOf(walk.span)
      const parts = await Promise.all(edges.map((span) => addedUp({ ...walk, span })))
      return [...parts.flat(), ...(hours ? await addedInHours(walk, hours) : [])]
    },

    byHours,
    byCounting,
    hinted,
    where,
    inPoint,
  }
}

export type Reading = ReturnType<typeof sqlReading>

/** The rows of a page, as the place of the newest of them in a list with the newest first, and how many there are. */
const sliceOf = ({ page, count, oldestFirst }: TimedLook, total: number) => {
  const start = (page - 1) * count
  const length = Math.max(0, Math.min(count, total - start))
  return { offset: oldestFirst ? Math.max(0, total - start - length) : start, length }
}

/** Rows are read with the newest first. */
const inOrder = async ({ oldestFirst }: TimedLook, found: Promise<Found<Stored>>): Promise<Found<Stored>> => {
  const { total, rows } = await found
  return { total, rows: oldestFirst ? rows.toReversed() : rows }
}

/** Sums that an engine may give as texts, or as nothing. */
const inNumbers = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value ?? 0)])) as {
    [Name in keyof Row]: number
  }

/** What lies above the whole hours is counted first in the order of time. */
const topOf = (edges: Span[], counts: number[], end: number): number => {
  const at = edges.findIndex(({ low }) => low >= firstIdOfHour(end))
  return at < 0 ? 0 : (counts[at] ?? 0)
}

import { sql } from 'kysely'
import type { Store } from '../../../db/repository'
import type { CallSift, CallSum, Tenant } from '../../../ports/call-history'
import { pieceSize, turnQueue } from '../../sql/time-slices'
import {
  applicationBytes,
  applicationMark,
  boundedStatus,
  callsIn,
  countIn,
  idsIn,
  trunkBytes,
  trunkMark,
  type Pack,
  type Sieve,
} from './call-block'
import { digestOf, hourOf, isAnswered, kindsOf, ownerDigest, type Span } from './time-ids'
import { ownerOf } from './stored-rows'

/**
 * Packs that one statement reads, with or without a match. SQLite reads them in this thread, where every other request
 * waits for it; MySQL must only stay well below the time after which a statement is given up.
 */
const pieces = {
  sqlite: { targetMs: 3, firstRows: 200, minRows: 50, maxRows: 4000 },
  mysql: { targetMs: 200, firstRows: 4000, minRows: 1000, maxRows: 20_000 },
}

/** Trunks of one owner among whose names a text is searched. */
const maxTrunks = 200
/** With more matching trunks than this, the database reads all packs instead of searching them for each trunk. */
const maxTrunkConditions = 8

/** The text as it is looked for: in small letters, as bytes. */
export const searchedFor = (text: string): Buffer => Buffer.from(text.toLowerCase())

interface Row {
  hour: number
  part: number
  calls: Pack
}

/** A pack that was read; one in which no call can match comes without its calls. */
type Read = Omit<Row, 'calls'> & { calls: Pack | null }

const hasMatch = (row: Read): row is Row => row.calls !== null

/** Finds calls in packs by a text (port: `CallLook.text`) and by application. */
export const sqlSearch = ({ database: { db, engine } }: Pick<Store, 'database'>) => {
  const nextTurn = turnQueue()

  /** The ids of calls whose SID or Call-ID is the text. */
  const named = async (of: Tenant, text: string): Promise<number[]> => {
    const digest = digestOf(text.trim())
    const one = (column: string) => sql`select * from (select id from trunkline_calls
      where ${sql.ref(column)} = ${digest} and ${ownerOf(of).owner} limit 50) ${sql.ref(`by_${column}`)}`
    const { rows } = await sql<{ id: number }>`${one('call_sid_digest')} union ${one('sip_callid_digest')}`.execute(db)
    return rows.map(({ id }) => id)
  }

  /** The trunks with a text in their names. Each name is one step in the index, so their calls are not read. */
  const trunksWith = async (of: Tenant, text: string): Promise<string[]> => {
    const { owner } = ownerOf(of)
    const sought = text.toLowerCase()
    const trunks: string[] = []
    let last = ''
    for (let count = 0; count < maxTrunks; count += 1) {
      const { rows } = await sql<{ trunk: string }>`select trunk from trunkline_calls
        where ${owner} and trunk > ${last} order by trunk limit 1`.execute(db)
      if (!rows[0]) break
      last = rows[0].trunk
      if (last.toLowerCase().includes(sought)) trunks.push(last)
    }
    return trunks
  }

  const sieveOf = async (of: Tenant, span: Span, look: CallSift): Promise<Sieve> => ({
    ...span,
    text: searchedFor(look.text ?? '').toString('latin1'),
    ids: new Set(look.text ? await named(of, look.text) : []),
    trunks: new Set((look.text ? await trunksWith(of, look.text) : []).map(trunkMark)),
    kinds: look.direction === undefined && look.answered === undefined ? undefined : new Set(kindsOf(look)),
    sip_status: look.sip_status === undefined ? undefined : boundedStatus(look.sip_status),
    trunk: look.trunk === undefined ? undefined : trunkMark(look.trunk),
    application: look.application_sid === undefined ? undefined : applicationMark(look.application_sid),
  })

  const contains = (bytes: Buffer) => sql`instr(calls, ${bytes}) > 0`

  /** The packs in which a call may match; undefined where all of them may. */
  const packCondition = ({ text, ids, trunks = new Set(), application }: Sieve) => {
    const hours = [...new Set([...ids].map(hourOf))]
    const matches =
      text === '' || trunks.size > maxTrunkConditions
        ? []
        : [
            contains(Buffer.from(text, 'latin1')),
            ...[...trunks].map((mark) => contains(trunkBytes(mark))),
            ...(hours.length > 0 ? [sql`hour in (${sql.join(hours)})`] : []),
          ]
    const conditions = [
      ...(matches.length > 0 ? [sql`(${sql.join(matches, sql` or `)})`] : []),
      ...(application === undefined ? [] : [contains(applicationBytes(application))]),
    ]
    return conditions.length > 0 ? sql`and ${sql.join(conditions, sql` and `)}` : sql``
  }

  /** Packs in which there may be something, from the newest on. */
  const packs = async function* (of: Tenant, sieve: Sieve): AsyncGenerator<Row[]> {
    const { low, high } = sieve
    const sought = packCondition(sieve)
    let next = sql`hour <= ${hourOf(high)}`
    const size = pieceSize(pieces[engine])
    for (;;) {
      await nextTurn()
      const startedAt = performance.now()
      const limit = size.rows()
      const { rows } = await sql<Read>`select hour, part, case when 1 = 1 ${sought} then calls end as calls
        from trunkline_packed_calls where owner_digest = ${ownerDigest(of)} and hour >= ${hourOf(low)} and ${next}
        order by hour desc, part desc limit ${limit}`.execute(db)
      yield rows.filter(hasMatch)
      size.measured(performance.now() - startedAt)
      const last = rows.at(-1)
      if (!last || rows.length < limit) return
      // said so that either engine goes on from there in the order of the key
      next = sql`hour <= ${last.hour} and (hour < ${last.hour} or part < ${last.part})`
    }
  }

  /** The same, those of an hour together. */
  const packsByHour = async function* (of: Tenant, sieve: Sieve): AsyncGenerator<{ hour: number; packs: Pack[] }> {
    let last = { hour: 0, packs: [] as Pack[] }
    for await (const rows of packs(of, sieve))
      for (const { hour, calls } of rows)
        if (hour === last.hour) last.packs.push(calls)
        else {
          yield last
          last = { hour, packs: [calls] }
        }
    yield last
  }

  return {
    named,
    trunksWith,

    /** How many calls there are, and the ids of `count` of them after the first `skip`, the newest first. */
    async page(of: Tenant, span: Span, look: CallSift, skip: number, count: number) {
      const page: number[] = []
      let total = 0
      const sieve = await sieveOf(of, span, look)
      for await (const { hour, packs } of packsByHour(of, sieve)) {
        const from = Math.max(0, skip - total)
        const here = packs.reduce((sum, pack) => sum + countIn(hour, pack, sieve), 0)
        if (from < here && page.length < count) {
          const ids = packs.flatMap((pack) => idsIn(hour, pack, sieve)).sort((one, other) => other - one)
          page.push(...ids.slice(from, from + count - page.length))
        }
        total += here
      }
      return { total, ids: page }
    },

    /** The same calls, added up. */
    async sums(of: Tenant, span: Span, look: CallSift): Promise<CallSum[]> {
      const sums = new Map<string, CallSum>()
      const sieve = await sieveOf(of, span, look)
      for await (const rows of packs(of, sieve))
        for (const { hour, calls } of rows)
          for (const { kind, sip_status, seconds, delay } of callsIn(hour, calls, sieve)) {
            const key = `${hour} ${kind} ${sip_status}`
            const none = { hour, answered: isAnswered(kind), sip_status, number: 0, seconds: 0, timed: 0, delay: 0 }
            const sum = sums.get(key) ?? none
            sum.number += 1
            sum.seconds += seconds
            sum.timed += Number(delay !== null)
            sum.delay += delay ?? 0
            sums.set(key, sum)
          }
      return [...sums.values()]
    },
  }
}

export type CallSearch = ReturnType<typeof sqlSearch>

import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../../db/table'
import type { CallSift, CallSum, Tenant } from '../../ports/call-history'
import { boundedStatus, callsIn, countIn, idsIn, trunkMark, type Pack, type Sieve } from './sql-pack'
import { digestOf, hourOf, isAnswered, kindsOf, ownerDigest, type Span } from './sql-places'
import { ownerOf } from './sql-rows'

/** Packs that are read in one go: some milliseconds' work, between which others come to their turn. */
const atOnce = 2000

/** A look with a text. */
export type TextLook = CallSift & { text: string }

/** The text as it is looked for: in small letters, as bytes. */
export const searchedFor = (text: string): Buffer => Buffer.from(text.toLowerCase())

interface Row {
  hour: number
  part: number
  calls: Pack
}

/** Finds calls by a text in their numbers, or by their whole SID, in the packs in which their numbers are. */
export const sqlSearch = ({ database: { db } }: Pick<Store, 'database'>) => {
  /** The ids of calls whose SID the text is. */
  const named = async (of: Tenant, text: string): Promise<number[]> => {
    const { rows } = await sql<{ id: number }>`select id from trunkline_calls
      where call_sid_digest = ${digestOf(text)} and ${ownerOf(of).owner} limit 50`.execute(db)
    return rows.map(({ id }) => id)
  }

  const sieveOf = async (of: Tenant, span: Span, look: TextLook): Promise<Sieve> => ({
    ...span,
    text: searchedFor(look.text).toString('latin1'),
    ids: new Set(await named(of, look.text)),
    kinds: look.direction === undefined && look.answered === undefined ? undefined : new Set(kindsOf(look)),
    sip_status: look.sip_status === undefined ? undefined : boundedStatus(look.sip_status),
    trunk: look.trunk === undefined ? undefined : trunkMark(look.trunk),
  })

  /** Packs in which there may be something, from the newest on. */
  const packs = async function* (of: Tenant, { low, high, text, ids }: Sieve): AsyncGenerator<Row[]> {
    const hours = [...new Set([...ids].map(hourOf))]
    const within = sql`instr(calls, ${Buffer.from(text, 'latin1')}) > 0`
    const sought = hours.length > 0 ? sql`(${within} or hour in (${sql.join(hours)}))` : within
    let next = sql`hour <= ${hourOf(high)}`
    for (;;) {
      const { rows } = await sql<Row>`select hour, part, calls from trunkline_call_packs
        where owner_digest = ${ownerDigest(of)} and hour >= ${hourOf(low)} and ${next} and ${sought}
        order by hour desc, part desc limit ${atOnce}`.execute(db)
      yield rows
      const last = rows.at(-1)
      if (!last || rows.length < atOnce) return
      // said so that either engine goes on from there in the order of the key
      next = sql`hour <= ${last.hour} and (hour < ${last.hour} or part < ${last.part})`
      await setImmediate()
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

    /** How many calls there are, and the ids of `count` of them after the first `skip`, the newest first. */
    async page(of: Tenant, span: Span, look: TextLook, skip: number, count: number) {
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
    async sums(of: Tenant, span: Span, look: TextLook): Promise<CallSum[]> {
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

import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { Connection } from '../../../db/repository'
import { packOf, placeOf, without, type Numbered, type Pack } from './call-block'
import { hourOf, ownerDigest } from './time-ids'

/** Packs of one statement. */
const chunk = 100

/** Bytes of a pack to which nothing is added any more: with what comes last, still a row that SQLite keeps in one page. */
const full = 800

type Owners = Pick<Numbered, 'service_provider_sid' | 'account_sid'>

const ownersOf = ({ service_provider_sid, account_sid }: Owners): number[] => [
  ...(service_provider_sid === null ? [] : [ownerDigest({ service_provider_sid })]),
  ...(account_sid === null ? [] : [ownerDigest({ account_sid })]),
]

/** Calls of one owner and hour, on their way into a pack. */
interface Lot {
  owner_digest: number
  hour: number
  packs: Pack[]
}

/** In one order for all, so that two processes do not wait for each other. */
const lotsOf = (rows: readonly Numbered[]): Lot[] => {
  const lots = new Map<string, Lot>()
  for (const row of rows) {
    const pack = packOf(row)
    const hour = hourOf(row.id)
    for (const owner_digest of ownersOf(row)) {
      const key = `${owner_digest} ${hour}`
      const lot = lots.get(key)
      if (lot) lot.packs.push(pack)
      else lots.set(key, { owner_digest, hour, packs: [pack] })
    }
  }
  return [...lots.values()].toSorted((one, other) => one.owner_digest - other.owner_digest || one.hour - other.hour)
}

/** A lot's parts: what is added to the one that is not full, and what begins new ones. */
const partsOf = ({ owner_digest, hour, packs }: Lot, last: { part: number; size: number } | undefined) => {
  let part = last?.part ?? 0
  let size = last?.size ?? 0
  const parts = new Map<number, Pack[]>()
  for (const pack of packs) {
    if (size > full) {
      part += 1
      size = 0
    }
    size += pack.length
    parts.set(part, [...(parts.get(part) ?? []), pack])
  }
  return [...parts].map(([number, some]) => ({ owner_digest, hour, part: number, calls: Buffer.concat(some) }))
}

/** Keeps calls in packs, which are searched for a text. */
export const callPacks = ({ engine }: Pick<Database, 'engine'>) => {
  const mysql = engine === 'mysql'

  /** The newest part of each lot, as far as this transaction sees: to an older one it can be added as well. */
  const lastParts = async (trx: Connection, lots: readonly Lot[]) => {
    const which = lots.map(({ owner_digest, hour }) => sql`(owner_digest = ${owner_digest} and hour = ${hour})`)
    const { rows } = await sql<{ owner_digest: number; hour: number; part: number; size: number }>`
      select p.owner_digest, p.hour, p.part, length(p.calls) as size
      from (select owner_digest, hour, max(part) as part from trunkline_packed_calls
        where ${sql.join(which, sql` or `)} group by owner_digest, hour) l
      join trunkline_packed_calls p on p.owner_digest = l.owner_digest and p.hour = l.hour and p.part = l.part`.execute(
      trx,
    )
    return new Map(rows.map((row) => [`${row.owner_digest} ${row.hour}`, row]))
  }

  // never in place of what is there, which somebody else may have added to meanwhile
  const added = mysql
    ? sql`on duplicate key update calls = concat(calls, values(calls))`
    : sql`on conflict (owner_digest, hour, part) do update set calls = cast(calls || excluded.calls as blob)`

  const add = async (trx: Connection, rows: readonly Numbered[]): Promise<void> => {
    const lots = lotsOf(rows)
    for (let at = 0; at < lots.length; at += chunk) {
      const some = lots.slice(at, at + chunk)
      const last = await lastParts(trx, some)
      const parts = some.flatMap((lot) => partsOf(lot, last.get(`${lot.owner_digest} ${lot.hour}`)))
      for (let from = 0; from < parts.length; from += chunk)
        await sql`insert into trunkline_packed_calls (owner_digest, hour, part, calls)
          values ${sql.join(
            parts
              .slice(from, from + chunk)
              .map((each) => sql`(${each.owner_digest}, ${each.hour}, ${each.part}, ${each.calls})`),
          )} ${added}`.execute(trx)
    }
  }

  return {
    /** Adds calls that are in no pack. */
    add,

    /** Takes a call out of its packs, by what was known of it. */
    async remove(trx: Connection, before: Numbered): Promise<void> {
      const { id } = before
      for (const owner of ownersOf(before)) {
        const { rows } = await sql<{ part: number; calls: Pack }>`select part, calls from trunkline_packed_calls
          where owner_digest = ${owner} and hour = ${hourOf(id)} and instr(calls, ${placeOf(id)}) > 0
          ${mysql ? sql`for update` : sql``}`.execute(trx)
        for (const { part, calls } of rows) {
          const left = without(calls, id)
          const key = sql`owner_digest = ${owner} and hour = ${hourOf(id)} and part = ${part}`
          await (
            left.length > 0
              ? sql`update trunkline_packed_calls set calls = ${left} where ${key}`
              : sql`delete from trunkline_packed_calls where ${key}`
          ).execute(trx)
        }
      }
    },
  }
}

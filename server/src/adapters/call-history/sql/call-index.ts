import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { Connection } from '../../../db/repository-options'
import { hourCounts, trunkChanges } from './hour-counts'
import { kindOfRow, encodeCall, idBytes, withoutCall, type IndexedCall, type CallBlock } from './call-block'
import { hourOf, ownerDigest } from './time-ids'

/** Blocks per statement. */
const batchSize = 100

/** A block of more bytes is full: with its last call it still is a row that SQLite stores in one page. */
const fullBlockBytes = 800

type OwnerSids = Pick<IndexedCall, 'service_provider_sid' | 'account_sid'>

const ownerDigests = ({ service_provider_sid, account_sid }: OwnerSids): number[] => [
  ...(service_provider_sid === null ? [] : [ownerDigest({ service_provider_sid })]),
  ...(account_sid === null ? [] : [ownerDigest({ account_sid })]),
]

/** New calls of one owner and hour. */
interface HourGroup {
  owner_digest: number
  hour: number
  blocks: CallBlock[]
}

/** Sorted, so that every process locks rows in the same order and deadlocks are avoided. */
const groupByHour = (rows: readonly IndexedCall[]): HourGroup[] => {
  const groups = new Map<string, HourGroup>()
  for (const row of rows) {
    const block = encodeCall(row)
    const hour = hourOf(row.id)
    for (const owner_digest of ownerDigests(row)) {
      const key = `${owner_digest} ${hour}`
      const group = groups.get(key)
      if (group) group.blocks.push(block)
      else groups.set(key, { owner_digest, hour, blocks: [block] })
    }
  }
  return [...groups.values()].toSorted((a, b) => a.owner_digest - b.owner_digest || a.hour - b.hour)
}

/** Appends to the last block of the group until it is full, then starts new ones. */
const assignParts = ({ owner_digest, hour, blocks }: HourGroup, last: { part: number; size: number } | undefined) => {
  let part = last?.part ?? 0
  let size = last?.size ?? 0
  const blocksOfPart = new Map<number, CallBlock[]>()
  for (const block of blocks) {
    if (size > fullBlockBytes) {
      part += 1
      size = 0
    }
    size += block.length
    blocksOfPart.set(part, [...(blocksOfPart.get(part) ?? []), block])
  }
  return [...blocksOfPart].map(([part, blocks]) => ({ owner_digest, hour, part, calls: Buffer.concat(blocks) }))
}

/** Stores calls in blocks, which text searches read. */
const callBlocks = ({ engine }: Pick<Database, 'engine'>) => {
  const mysql = engine === 'mysql'

  /** The newest block of each group that this transaction sees. Appending to an older one is harmless. */
  const lastParts = async (trx: Connection, groups: readonly HourGroup[]) => {
    const conditions = groups.map(({ owner_digest, hour }) => sql`(owner_digest = ${owner_digest} and hour = ${hour})`)
    const { rows } = await sql<{ owner_digest: number; hour: number; part: number; size: number }>`
      select p.owner_digest, p.hour, p.part, length(p.calls) as size
      from (select owner_digest, hour, max(part) as part from trunkline_packed_calls
        where ${sql.join(conditions, sql` or `)} group by owner_digest, hour) l
      join trunkline_packed_calls p on p.owner_digest = l.owner_digest and p.hour = l.hour and p.part = l.part`.execute(
      trx,
    )
    return new Map(rows.map((row) => [`${row.owner_digest} ${row.hour}`, row]))
  }

  // Appends, never replaces: another process may have appended meanwhile.
  const appendClause = mysql
    ? sql`on duplicate key update calls = concat(calls, values(calls))`
    : sql`on conflict (owner_digest, hour, part) do update set calls = cast(calls || excluded.calls as blob)`

  const add = async (trx: Connection, rows: readonly IndexedCall[]): Promise<void> => {
    const groups = groupByHour(rows)
    for (let start = 0; start < groups.length; start += batchSize) {
      const batch = groups.slice(start, start + batchSize)
      const last = await lastParts(trx, batch)
      const parts = batch.flatMap((group) => assignParts(group, last.get(`${group.owner_digest} ${group.hour}`)))
      for (let from = 0; from < parts.length; from += batchSize)
        await sql`insert into trunkline_packed_calls (owner_digest, hour, part, calls)
          values ${sql.join(
            parts
              .slice(from, from + batchSize)
              .map(({ owner_digest, hour, part, calls }) => sql`(${owner_digest}, ${hour}, ${part}, ${calls})`),
          )} ${appendClause}`.execute(trx)
    }
  }

  return {
    /** Adds calls that are in no block yet. */
    add,

    /** Removes a call from its blocks. `call` has its stored values. */
    async remove(trx: Connection, call: IndexedCall): Promise<void> {
      const { id } = call
      for (const ownerDigest of ownerDigests(call)) {
        const { rows } = await sql<{ part: number; calls: CallBlock }>`select part, calls from trunkline_packed_calls
          where owner_digest = ${ownerDigest} and hour = ${hourOf(id)} and instr(calls, ${idBytes(id)}) > 0
          ${mysql ? sql`for update` : sql``}`.execute(trx)
        for (const { part, calls } of rows) {
          const remaining = withoutCall(calls, id)
          const key = sql`owner_digest = ${ownerDigest} and hour = ${hourOf(id)} and part = ${part}`
          await (
            remaining.length > 0
              ? sql`update trunkline_packed_calls set calls = ${remaining} where ${key}`
              : sql`delete from trunkline_packed_calls where ${key}`
          ).execute(trx)
        }
      }
    },
  }
}

/** Everything that is stored of a call besides its row: its blocks and the counts of its trunk. */
export const callIndex = (database: Pick<Database, 'engine'>) => {
  const blocks = callBlocks(database)
  const count = hourCounts(database)
  const trunkCounts = (rows: readonly IndexedCall[], sign: 1 | -1) =>
    rows.flatMap((row) => trunkChanges({ ...row, kind: kindOfRow(row) }, sign))

  return {
    /** Adds calls that are not indexed yet. */
    add: async (trx: Connection, rows: readonly IndexedCall[]): Promise<void> => {
      await blocks.add(trx, rows)
      await count(trx, trunkCounts(rows, 1))
    },

    /** Removes calls. `rows` have their stored values. */
    remove: async (trx: Connection, rows: readonly IndexedCall[]): Promise<void> => {
      for (const row of rows) await blocks.remove(trx, row)
      await count(trx, trunkCounts(rows, -1))
    },
  }
}

export type CallIndex = ReturnType<typeof callIndex>

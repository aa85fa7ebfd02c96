import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { Connection } from '../../../db/repository-options'
import { forEachBatch } from '../../sql/batches'
import { createHourCountUpdater, buildTrunkChanges } from './hour-counts'
import { kindOfRow, encodeCall, encodeId, removeCall, type IndexedCall, type CallBlock } from './call-block'
import { hourOf, digestOfTenant } from './time-ids'

/** Blocks per statement. */
const batchSize = 100

/** A block with more bytes is full. Even with its last call, it fits into one page of SQLite. */
const fullBlockBytes = 800

type OwnerSids = Pick<IndexedCall, 'service_provider_sid' | 'account_sid'>

/** The digests of the provider and the account of a call or an alert. */
export const listOwnerDigests = ({ service_provider_sid, account_sid }: OwnerSids): number[] => [
  ...(service_provider_sid === null ? [] : [digestOfTenant({ service_provider_sid })]),
  ...(account_sid === null ? [] : [digestOfTenant({ account_sid })]),
]

/** New calls of one owner and hour. */
interface HourGroup {
  owner_digest: number
  hour: number
  blocks: CallBlock[]
}

/** Groups calls by owner and hour. The groups are sorted: every process locks rows in the same order, which avoids deadlocks. */
const groupByHour = (rows: readonly IndexedCall[]): HourGroup[] => {
  const groups = new Map<string, HourGroup>()
  for (const row of rows) {
    const block = encodeCall(row)
    const hour = hourOf(row.id)
    for (const owner_digest of listOwnerDigests(row)) {
      const key = `${owner_digest} ${hour}`
      const group = groups.get(key)
      if (group) group.blocks.push(block)
      else groups.set(key, { owner_digest, hour, blocks: [block] })
    }
  }
  return [...groups.values()].toSorted((a, b) => a.owner_digest - b.owner_digest || a.hour - b.hour)
}

/**
 * Assigns the calls of a group to stored blocks, which are numbered as `part`s of the hour: fills the last stored block, then starts
 * new ones.
 */
const assignParts = (
  { owner_digest, hour, blocks }: HourGroup,
  lastPart: { part: number; size: number } | undefined,
) => {
  let part = lastPart?.part ?? 0
  let size = lastPart?.size ?? 0
  const blocksByPart = new Map<number, CallBlock[]>()
  for (const block of blocks) {
    if (size > fullBlockBytes) {
      part += 1
      size = 0
    }
    size += block.length
    blocksByPart.set(part, [...(blocksByPart.get(part) ?? []), block])
  }
  return [...blocksByPart].map(([number, partBlocks]) => ({
    owner_digest,
    hour,
    part: number,
    calls: Buffer.concat(partBlocks),
  }))
}

/** Creates the storage of call blocks, which text searches read. */
const createCallBlockStore = ({ engine }: Pick<Database, 'engine'>) => {
  const isMysql = engine === 'mysql'

  /**
   * Finds the last block of each group that this transaction sees. Another process may have added a later one; appending to the
   * earlier one is harmless.
   */
  const findLastParts = async (trx: Connection, groups: readonly HourGroup[]) => {
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
  const appendClause = isMysql
    ? sql`on duplicate key update calls = concat(calls, values(calls))`
    : sql`on conflict (owner_digest, hour, part) do update set calls = cast(calls || excluded.calls as blob)`

  const add = async (trx: Connection, rows: readonly IndexedCall[]): Promise<void> => {
    const groups = groupByHour(rows)
    await forEachBatch(groups, batchSize, async (batch) => {
      const lastParts = await findLastParts(trx, batch)
      const parts = batch.flatMap((group) => assignParts(group, lastParts.get(`${group.owner_digest} ${group.hour}`)))
      await forEachBatch(parts, batchSize, (partBatch) =>
        sql`insert into trunkline_packed_calls (owner_digest, hour, part, calls)
          values ${sql.join(
            partBatch.map(({ owner_digest, hour, part, calls }) => sql`(${owner_digest}, ${hour}, ${part}, ${calls})`),
          )} ${appendClause}`.execute(trx),
      )
    })
  }

  return {
    /** Adds calls that are in no block yet. */
    add,

    /** Removes a call from its blocks. `call` has its stored values. */
    async remove(trx: Connection, call: IndexedCall): Promise<void> {
      const { id } = call
      for (const ownerDigest of listOwnerDigests(call)) {
        const { rows } = await sql<{ part: number; calls: CallBlock }>`select part, calls from trunkline_packed_calls
          where owner_digest = ${ownerDigest} and hour = ${hourOf(id)} and instr(calls, ${encodeId(id)}) > 0
          ${isMysql ? sql`for update` : sql``}`.execute(trx)
        for (const { part, calls } of rows) {
          const remainingCalls = removeCall(calls, id)
          const keyCondition = sql`owner_digest = ${ownerDigest} and hour = ${hourOf(id)} and part = ${part}`
          await (
            remainingCalls.length > 0
              ? sql`update trunkline_packed_calls set calls = ${remainingCalls} where ${keyCondition}`
              : sql`delete from trunkline_packed_calls where ${keyCondition}`
          ).execute(trx)
        }
      }
    },
  }
}

/** Creates the index of calls, which is kept in addition to their rows: call blocks, and the counts of each trunk. */
export const createCallIndex = (database: Pick<Database, 'engine'>) => {
  const blocks = createCallBlockStore(database)
  const updateCounts = createHourCountUpdater(database)
  const buildTrunkCountChanges = (rows: readonly IndexedCall[], sign: 1 | -1) =>
    rows.flatMap((row) => buildTrunkChanges({ ...row, kind: kindOfRow(row) }, sign))

  return {
    /** Adds calls that are not indexed yet. */
    add: async (trx: Connection, rows: readonly IndexedCall[]): Promise<void> => {
      await blocks.add(trx, rows)
      await updateCounts(trx, buildTrunkCountChanges(rows, 1))
    },

    /** Removes calls. `rows` have their stored values. */
    remove: async (trx: Connection, rows: readonly IndexedCall[]): Promise<void> => {
      for (const row of rows) await blocks.remove(trx, row)
      await updateCounts(trx, buildTrunkCountChanges(rows, -1))
    },
  }
}

export type CallIndex = ReturnType<typeof createCallIndex>

import type { Kysely } from 'kysely'
import type { Tables } from '../../db/schema'
import { withTransaction } from '../../db/transaction'
import { runInSlices } from './time-slices'

/** Deletes rows that were received before a time, in seconds since 1970, without blocking other work. */
export const pruneParts = (
  db: Kysely<Tables>,
  table: 'trunkline_trace_parts' | 'trunkline_capture_parts',
  receivedBefore: number,
  signal?: AbortSignal,
): Promise<void> =>
  runInSlices(async (limit) => {
    const oldRows = await db
      .selectFrom(table)
      .select('part_sid')
      .where('received_at', '<', receivedBefore)
      .orderBy('received_at')
      .limit(limit)
      .execute()
    const sids = oldRows.map(({ part_sid }) => part_sid)
    if (sids.length > 0) await withTransaction(db, (tx) => tx.deleteFrom(table).where('part_sid', 'in', sids).execute())
    return { hasMore: sids.length === limit }
  }, signal)

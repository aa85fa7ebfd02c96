import type { Database } from '../../db/database'
import { withTransaction } from '../../db/transaction'
import { runInSlices, type SliceOptions } from './time-slices'

/** Deletes rows that were received before a timestamp (seconds since 1970), without blocking other work. */
export const pruneParts = (
  { db, checkpointWal }: Pick<Database, 'db'> & Pick<SliceOptions, 'checkpointWal'>,
  table: 'trunkline_trace_parts' | 'trunkline_capture_parts',
  receivedBeforeSeconds: number,
  signal?: AbortSignal,
): Promise<void> =>
  runInSlices(
    async (limit) => {
      const oldRows = await db
        .selectFrom(table)
        .select('part_sid')
        .where('received_at', '<', receivedBeforeSeconds)
        .orderBy('received_at')
        .limit(limit)
        .execute()
      const sids = oldRows.map(({ part_sid }) => part_sid)
      if (sids.length > 0)
        await withTransaction(db, (tx) => tx.deleteFrom(table).where('part_sid', 'in', sids).execute())
      return { hasMore: sids.length === limit }
    },
    { signal, checkpointWal },
  )

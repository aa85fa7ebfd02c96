import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema'

/** Rows that are deleted in one go, so that nobody waits long behind it. */
const atOnce = 500

/** Deletes the rows that came before a moment, in seconds since 1970. */
export const pruneParts = async (
  db: Kysely<Tables>,
  table: 'trunkline_trace_parts' | 'trunkline_capture_parts',
  before: number,
): Promise<void> => {
  for (let deleted = atOnce; deleted === atOnce;) {
    const old = await db
      .selectFrom(table)
      .select('part_sid')
      .where('received_at', '<', before)
      .orderBy('received_at')
      .limit(atOnce)
      .execute()
    const sids = old.map(({ part_sid }) => part_sid)
    if (sids.length > 0) await db.deleteFrom(table).where('part_sid', 'in', sids).execute()
    deleted = sids.length
  }
}

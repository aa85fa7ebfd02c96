import { bigint, flag, mediumblob, sid, table, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'

/**
 * Captured SIP messages as pcap packets: one row per write and Call-ID. `part_sid` grows with time, so that rows are added at
 * the end of the index.
 */
export const trunklineCaptureParts = table(
  'trunkline_capture_parts',
  {
    part_sid: sid().primary(),
    call_id: varchar(255).caseSensitive(),
    /** A digest of the Call-ID. An index of the random Call-IDs themselves would be too large to write quickly. */
    call_id_digest: bigint(),
    /** Whether the dialog is a registration, not a call. */
    registration: flag(),
    /** Seconds since 1970. */
    received_at: bigint(),
    packets: mediumblob(),
  },
  { indexes: { call_id_idx: ['call_id_digest'], received_at_idx: ['received_at'] } },
)

export const createdTables = [trunklineCaptureParts]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)

import { bigint, flag, mediumblob, sid, table, varchar } from '../columns'

/**
 * SIP messages that were captured, as packets of a pcap file: each write makes one row for each Call-ID in it. `part_sid`
 * grows with time, so that rows are added at the end.
 */
export const trunklineCaptureParts = table(
  'trunkline_capture_parts',
  {
    part_sid: sid().primary(),
    call_id: varchar(255).caseSensitive(),
    /** The Call-ID as a number: an index of the texts themselves, which are chance, would be too large to write quickly. */
    call_id_digest: bigint(),
    /** Of a registration, not of a call. */
    registration: flag(),
    /** Seconds since 1970. */
    received_at: bigint(),
    packets: mediumblob(),
  },
  { indexes: { call_id_idx: ['call_id_digest'], received_at_idx: ['received_at'] } },
)

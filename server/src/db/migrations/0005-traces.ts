import { bigint, char, mediumblob, sid, table } from '../columns'

/**
 * Traces of calls as they came in: of each request and each trace in it one row, its spans as deflated JSON. Written by
 * an account, a provider, or with neither, the platform. `part_sid` grows with time, so that rows are added at the end.
 */
export const trunklineTraceParts = table(
  'trunkline_trace_parts',
  {
    part_sid: sid().primary(),
    /** 32 hexadecimal digits, in lower case. */
    trace_id: char(32),
    service_provider_sid: sid().nullable(),
    account_sid: sid().nullable(),
    /** Seconds since 1970. */
    received_at: bigint(),
    spans: mediumblob(),
  },
  { indexes: { trace_id_idx: ['trace_id'], received_at_idx: ['received_at'] } },
)

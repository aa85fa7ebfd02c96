import { bigint, char, mediumblob, sid, table } from '../columns'
import type { MigrationContext } from '../migration-context'

/**
 * Received traces: one row per request and trace, with its spans as deflated JSON. The writer is an account, a provider or,
 * without either, the platform. `part_sid` grows with time, so that rows are added at the end of the index.
 */
export const trunklineTraceParts = table(
  'trunkline_trace_parts',
  {
    part_sid: sid().primary(),
    /** 32 hexadecimal digits in lower case. */
    trace_id: char(32),
    service_provider_sid: sid().nullable(),
    account_sid: sid().nullable(),
    /** Seconds since 1970. */
    received_at: bigint(),
    spans: mediumblob(),
  },
  { indexes: { trace_id_idx: ['trace_id'], received_at_idx: ['received_at'] } },
)

export const createdTables = [trunklineTraceParts]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)

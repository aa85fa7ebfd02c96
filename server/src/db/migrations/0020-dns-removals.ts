import { bigint, int, sid, table, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'

/** DNS records of SIP realms that must be deleted at the DNS provider. Times are seconds since 1970. */
export const trunklineDnsRemovals = table(
  'trunkline_dns_removals',
  {
    removal_sid: sid().primary(),
    realm: varchar(132),
    /** Null: the records were being created and their IDs are unknown. Records of the realm that no account has are deleted. */
    record_id: int().nullable(),
    due_at: bigint(),
  },
  { indexes: { due_at_idx: ['due_at'] } },
)

export const createdTables = [trunklineDnsRemovals]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)

import { bigint, table } from '../columns'
import type { MigrationContext } from '../migration-context'

/**
 * Alerts without their content, once for their provider and once for their account, to group and count them. Rows are short
 * because a query reads those of all alerts of a period. A digest stands for each text: see `digestOf`.
 */
export const trunklineGroupedAlerts = table(
  'trunkline_grouped_alerts',
  {
    owner_digest: bigint().primary(),
    /** The type and message. */
    group_digest: bigint().primary(),
    /** The key of the alert. */
    id: bigint().primary(),
    type_digest: bigint().nullable(),
    account_digest: bigint().nullable(),
  },
  // Indexes of both engines also contain the primary key, so this one contains the group.
  { indexes: { time_idx: ['owner_digest', 'id', 'type_digest'] } },
)

export const createdTables = [trunklineGroupedAlerts]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)

import { bigint, sid, table } from '../columns'
import type { MigrationContext } from '../migration-context'

/** Webhooks that were created on their own and are not used by any record yet, with the actor that created them. */
export const trunklineUnusedWebhooks = table(
  'trunkline_unused_webhooks',
  {
    webhook_sid: sid().primary(),
    /** The actor's account or, without one, its provider; null for an administrator. */
    owner_sid: sid().nullable(),
    user_sid: sid().nullable(),
    api_key_sid: sid().nullable(),
    /** Seconds since 1970. */
    created_at: bigint(),
  },
  { indexes: { owner_idx: ['owner_sid'], created_idx: ['created_at'] } },
)

export const createdTables = [trunklineUnusedWebhooks]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)

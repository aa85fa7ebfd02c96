import { bigint, char, sid, table } from '../columns'
import type { MigrationContext } from '../migration-context'

/**
 * Password reset links, stored as hashes. `mark` is a digest of the user's e-mail address and password: once either changes,
 * the link is invalid. Times are seconds since 1970.
 */
export const trunklineResetLinks = table(
  'trunkline_reset_links',
  { link_hash: char(43).primary(), user_sid: sid(), mark: char(43), expires_at: bigint() },
  { indexes: { user_sid_idx: ['user_sid'], expires_at_idx: ['expires_at'] } },
)

export const createdTables = [trunklineResetLinks]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)

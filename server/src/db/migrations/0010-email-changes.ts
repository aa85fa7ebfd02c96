import { bigint, char, int, sid, table, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'

/**
 * E-mail addresses that users have set and not yet confirmed. Until then password resets go to `confirmed_email`, which is
 * empty for a user without a usable address. Times are seconds since 1970.
 */
export const trunklineEmailChanges = table(
  'trunkline_email_changes',
  {
    user_sid: sid().primary(),
    confirmed_email: varchar(255),
    new_email: varchar(255),
    /** SHA-256 of the link. A new link replaces the previous one. */
    link_hash: char(43),
    expires_at: bigint(),
    /** Messages sent since `mails_since`. Limits how many messages a session can send to other people. */
    mails_sent: int().default(0),
    mails_since: bigint().default(0),
  },
  { indexes: { link_hash_idx: ['link_hash'], confirmed_email_idx: ['confirmed_email'] } },
)

export const createdTables = [trunklineEmailChanges]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)

import { bigint, char, flag, int, sid, table, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'

/**
 * Registrations whose e-mail address is not confirmed yet. The account and the user are created when it is, with these
 * SIDs. A new registration with the same address replaces the previous one. Times are seconds since 1970.
 */
export const trunklineRegistrations = table(
  'trunkline_registrations',
  {
    user_sid: sid().primary(),
    /** SHA-256 of the address. */
    email_hash: char(43).unique(),
    email: varchar(255),
    account_sid: sid(),
    service_provider_sid: sid(),
    hashed_password: varchar(1024).caseSensitive(),
    /** Whether the account exists: the new user replaces its users. */
    replaces_users: flag().default(0),
    invite_code: char(6).nullable(),
    /** A keyed hash of the code. It matches no code if another user has the address. */
    code_hash: char(43),
    expires_at: bigint(),
    attempts: int().default(0),
    sent_at: bigint(),
    created_at: bigint(),
  },
  { indexes: { created_at_idx: ['created_at'] } },
)

/** How often something was attempted, per client network or e-mail address, which are hashed. */
export const trunklineAttemptCounts = table(
  'trunkline_attempt_counts',
  { key_hash: char(43).primary(), attempts: int(), until: bigint() },
  { indexes: { until_idx: ['until'] } },
)

export const createdTables = [trunklineRegistrations, trunklineAttemptCounts]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)

import { bigint, char, int, table } from '../columns'
import type { MigrationContext } from '../migration-context'
import { trunklineLoginAttempts } from './0002-sessions'

/**
 * Wrong passwords per user and client network, and per client network for all users. Users and networks are hashed. Times
 * are seconds since 1970.
 */
export const trunklineLoginFailures = table(
  'trunkline_login_failures',
  {
    /** Of user and client network, or of the client network alone. */
    key_hash: char(43).primary(),
    /** Of the user, or of an unknown username; empty if the row is for a client network alone. */
    subject_hash: char(43).default(''),
    failures: int().default(0),
    until: bigint().default(0),
    /** The earliest next attempt, once the client network has to wait between attempts. */
    next_at: bigint().default(0),
  },
  { indexes: { subject_hash_idx: ['subject_hash'], until_idx: ['until'] } },
)

export const createdTables = [trunklineLoginFailures]

export const up = async ({ createTables, dropTables }: MigrationContext): Promise<void> => {
  await createTables(createdTables)
  await dropTables([trunklineLoginAttempts])
}

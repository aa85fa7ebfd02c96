import { bigint, char, int, table } from '../columns'

/**
 * Wrong passwords, counted for a user from one source, and for a source over all users. Users and sources are stored as
 * hashes. Times are seconds since 1970.
 */
export const trunklineLoginFailures = table(
  'trunkline_login_failures',
  {
    /** Of user and source, or of the source alone. */
    key_hash: char(43).primary(),
    /** Of the user, or of a name that no user has; empty in the row of a source. */
    subject_hash: char(43).default(''),
    failures: int().default(0),
    until: bigint().default(0),
    /** When the source may try again, once it has to wait between attempts. */
    next_at: bigint().default(0),
  },
  { indexes: { subject_hash_idx: ['subject_hash'], until_idx: ['until'] } },
)

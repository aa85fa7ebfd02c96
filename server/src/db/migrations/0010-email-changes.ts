import { bigint, char, int, sid, table, varchar } from '../columns'

/**
 * E-mail addresses that users gave themselves and have not confirmed. Until then a forgotten password is reset with
 * `confirmed_email`; it is empty for a user who had no usable address. Times are seconds since 1970.
 */
export const trunklineEmailChanges = table(
  'trunkline_email_changes',
  {
    user_sid: sid().primary(),
    confirmed_email: varchar(255),
    new_email: varchar(255),
    /** SHA-256 of the link; a new link replaces the one before. */
    link_hash: char(43),
    expires_at: bigint(),
    /** Messages sent since `mails_since`, which bounds what one session can send to strangers. */
    mails_sent: int().default(0),
    mails_since: bigint().default(0),
  },
  { indexes: { link_hash_idx: ['link_hash'], confirmed_email_idx: ['confirmed_email'] } },
)

import { bigint, char, sid, table } from '../columns'

/**
 * Links for a new password, by what can be made of them but not turned back. `mark` says which address and which password
 * the user had: with another one the link is dead. Times are seconds since 1970.
 */
export const trunklineResetLinks = table(
  'trunkline_reset_links',
  { link_hash: char(43).primary(), user_sid: sid(), mark: char(43), expires_at: bigint() },
  { indexes: { user_sid_idx: ['user_sid'], expires_at_idx: ['expires_at'] } },
)

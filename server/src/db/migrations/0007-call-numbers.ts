import { bigint, int, table, varbinary, varchar } from '../columns'
import { SEARCHED_BYTES } from './0004-call-history'

/**
 * The numbers of each call, once for its provider and once for its account: what a text is looked for in. It says little
 * else, because a text is found by reading all of it, and the time that takes goes with the length of a row.
 */
export const trunklineCallNumbers = table('trunkline_call_numbers', {
  /** Whose row it is, as a number: comparing sids by a language's rules takes longer than looking for the text. */
  owner_digest: bigint().primary(),
  /** The call's. */
  id: bigint().primary(),
  /** Both numbers in small letters, one a line. */
  numbers: varbinary(SEARCHED_BYTES),
  /** The direction and whether it was answered, as hours are counted. */
  kind: int(),
  sip_status: int(),
  /** What an overview adds up. */
  seconds: int(),
  delay: int().nullable(),
  trunk: varchar(255).nullable(),
})

/** How far work has come that goes on beside the server's own. */
export const trunklineProgress = table('trunkline_progress', {
  name: varchar(64).primary(),
  /** What comes before and this is done. */
  reached: bigint(),
})

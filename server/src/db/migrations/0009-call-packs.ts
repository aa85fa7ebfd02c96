import { bigint, int, mediumblob, table } from '../columns'

/**
 * The numbers of calls, once for their provider and once for their account, many calls in a row: what a text is looked
 * for in. A text is found by reading all of it, and the time that takes goes with the number of rows and their length.
 */
export const trunklineCallPacks = table('trunkline_call_packs', {
  /** Whose calls they are, as a number: comparing sids by a language's rules takes longer than looking for the text. */
  owner_digest: bigint().primary(),
  /** Hours since 1970. */
  hour: int().primary(),
  part: int().primary(),
  /** Calls, one after the other: a few bytes of what is known of each, and both numbers in small letters. */
  calls: mediumblob(),
})

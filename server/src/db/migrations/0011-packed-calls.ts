import { bigint, int, mediumblob, table } from '../columns'

/**
 * Calls as they are searched, once for their provider and once for their account, many calls in a row: both numbers, the
 * termination reason, and the facts that a list filters by. A text is found by reading all of it, and the time that takes
 * grows with the number of rows and their length.
 */
export const trunklinePackedCalls = table('trunkline_packed_calls', {
  /** The owner as a number: comparing sids by a language's rules takes longer than searching the text. */
  owner_digest: bigint().primary(),
  /** Hours since 1970. */
  hour: int().primary(),
  part: int().primary(),
  calls: mediumblob(),
})

import { bigint, int, mediumblob, table } from '../columns'
import type { MigrationContext } from '../migration-context'
import { trunklineCallNumbers } from './0007-call-numbers'

/**
 * The numbers of calls for text search, once for their provider and once for their account, with many calls per row. A search
 * reads all rows, so their number and length matter.
 */
export const trunklineCallPacks = table('trunkline_call_packs', {
  /** A digest of the owner's SID: comparing SIDs with a collation takes longer than the text search itself. */
  owner_digest: bigint().primary(),
  /** Hours since 1970. */
  hour: int().primary(),
  part: int().primary(),
  /** For each call a few bytes of properties, and both numbers in lower case. */
  calls: mediumblob(),
})

export const createdTables = [trunklineCallPacks]

export const up = async ({ createTables, dropTables }: MigrationContext): Promise<void> => {
  await createTables(createdTables)
  await dropTables([trunklineCallNumbers])
}

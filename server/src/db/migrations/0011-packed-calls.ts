import { bigint, int, mediumblob, table } from '../columns'
import type { MigrationContext } from '../migration-context'
import { trunklineCallPacks } from './0009-call-packs'

/**
 * Calls for text search, once for their provider and once for their account, with many calls per row: both numbers, the
 * termination reason and the filtered columns. A search reads all rows, so their number and length matter.
 */
export const trunklinePackedCalls = table('trunkline_packed_calls', {
  /** A digest of the owner's SID: comparing SIDs with a collation takes longer than the text search itself. */
  owner_digest: bigint().primary(),
  /** Hours since 1970. */
  hour: int().primary(),
  part: int().primary(),
  calls: mediumblob(),
})

export const createdTables = [trunklinePackedCalls]

export const up = async ({ createTables, dropTables }: MigrationContext): Promise<void> => {
  await createTables(createdTables)
  await dropTables([trunklineCallPacks])
}

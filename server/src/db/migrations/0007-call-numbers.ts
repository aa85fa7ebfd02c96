import { bigint, int, table, varbinary, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'
import { searchedBytes } from './0004-call-history'

/**
 * The numbers of each call for text search, once for its provider and once for its account. Rows are short because a search
 * reads all of them.
 */
export const trunklineCallNumbers = table('trunkline_call_numbers', {
  /** A digest of the owner's SID: comparing SIDs with a collation takes longer than the text search itself. */
  owner_digest: bigint().primary(),
  /** The key of the call. */
  id: bigint().primary(),
  /** Both numbers in lower case, one per line. */
  numbers: varbinary(searchedBytes),
  /** Direction and whether answered, as in the hour counts. */
  kind: int(),
  sip_status: int(),
  /** `seconds` and `delay` are summed up by the overview. */
  seconds: int(),
  delay: int().nullable(),
  trunk: varchar(255).nullable(),
})

/** The progress of background work. */
export const trunklineProgress = table('trunkline_progress', {
  name: varchar(64).primary(),
  /** Everything up to this value is done. */
  reached: bigint(),
})

export const createdTables = [trunklineCallNumbers, trunklineProgress]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)

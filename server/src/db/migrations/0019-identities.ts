import { char, sid, table } from '../columns'
import type { MigrationContext } from '../migration-context'

/**
 * The permanent IDs of users at their identity providers. The platform stores logins instead, and a provider can give the
 * login of one user to another one.
 */
export const trunklineIdentities = table('trunkline_identities', {
  user_sid: sid().primary(),
  /** SHA-256 of the provider and the ID. */
  identity_hash: char(43).unique(),
})

export const createdTables = [trunklineIdentities]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)

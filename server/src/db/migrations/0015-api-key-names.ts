import { sid, table, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'

/** Names of API keys: the platform's table has no column for them. */
export const trunklineApiKeyNames = table('trunkline_api_key_names', {
  api_key_sid: sid().primary(),
  name: varchar(64),
})

export const createdTables = [trunklineApiKeyNames]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)

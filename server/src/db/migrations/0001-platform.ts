import type { Kysely } from 'kysely'
import { createTables } from '../migration-steps'
import { platformTables } from '../platform-tables'
import type { Tables } from '../schema'

export const up = (db: Kysely<Tables>): Promise<void> => createTables(db, platformTables)

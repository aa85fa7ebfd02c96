import type { Table } from './columns'

/**
 * What a migration may use. It has no types of the current schema, because a migration must work on the schema of its
 * own time.
 */
export interface MigrationContext {
  /** Creates the tables that do not exist. */
  createTables: (tables: readonly Table[]) => Promise<void>
  /** Drops tables of earlier migrations that no code uses any more. */
  dropTables: (tables: readonly Table[]) => Promise<void>
}

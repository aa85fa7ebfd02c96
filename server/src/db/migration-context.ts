import type { Table } from './columns'

/**
 * The functions that a migration may use. They have no types of the current schema, because a migration must work on the
 * schema of its version.
 */
export interface MigrationContext {
  /** Creates the tables that do not exist. */
  createTables: (tables: readonly Table[]) => Promise<void>
  /** Drops tables of earlier migrations that no code uses any more. */
  dropTables: (tables: readonly Table[]) => Promise<void>
}

import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Table } from './columns'
import { engineOf } from './database'
import { UnsuitableDatabaseError } from './platform-check'
import { renderMysqlColumn } from './render-mysql'
import type { Tables } from './schema'

/** Large tables that no query joins with platform tables. Changing their collation would take long and have no use. */
const tablesWithoutJoins = new Set([
  'trunkline_calls',
  'trunkline_alerts',
  'trunkline_hour_counts',
  'trunkline_packed_calls',
  'trunkline_trace_parts',
  'trunkline_capture_parts',
  'trunkline_recordings',
])

/** The collation of a platform column; undefined if it has none. */
export const readCollation = async (
  db: Kysely<Tables>,
  table: keyof Tables,
  column: string,
): Promise<string | undefined> => {
  const { rows } = await sql<{ collation: string | null }>`
    select collation_name as collation from information_schema.columns
    where table_schema = database() and table_name = ${table} and column_name = ${column}`.execute(db)
  return rows[0]?.collation ?? undefined
}

/**
 * Throws UnsuitableDatabaseError if a column and the column that it references have different collations, because MySQL
 * cannot join them. With foreign keys that is impossible; some copies of a database lack them.
 */
export const assertJoinable = async (db: Kysely<Tables>, tables: readonly Table[]): Promise<void> => {
  if (engineOf(db) === 'sqlite') return
  const { rows } = await sql<{ table: string; column: string; collation: string }>`
    select table_name as ${sql.ref('table')}, column_name as ${sql.ref('column')}, collation_name as collation
    from information_schema.columns where table_schema = database() and collation_name is not null`.execute(db)
  const collations = new Map(
    rows.map(({ table, column, collation }) => [`${table.toLowerCase()}.${column.toLowerCase()}`, collation]),
  )
  for (const { name, columns } of tables) {
    for (const [columnName, { definition }] of Object.entries(columns)) {
      if (!definition.references) continue
      const column = `${name}.${columnName}`
      const referencedColumn = `${definition.references.table}.${definition.references.column}`
      const collation = collations.get(column)
      const referencedCollation = collations.get(referencedColumn)
      if (collation === referencedCollation) continue
      throw new UnsuitableDatabaseError(
        `The database cannot join ${column} (${collation}) with ${referencedColumn} (${referencedCollation}), ` +
          "because their collations differ. Convert all of the platform's tables to the same collation, then start again.",
      )
    }
  }
}

/**
 * Our SID columns whose collation differs from the platform's, by table. MySQL cannot join them. A restored dump often has
 * another collation than the tables that this server created.
 */
export const findMismatchedColumns = async (
  db: Kysely<Tables>,
  tables: readonly Table[],
): Promise<{ collation: string; columnsByTable: Map<Table, string[]> } | undefined> => {
  const collation = engineOf(db) === 'sqlite' ? undefined : await readCollation(db, 'users', 'user_sid')
  if (!collation) return undefined
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as ${sql.ref('table')}, column_name as ${sql.ref('column')} from information_schema.columns
    where table_schema = database() and column_type = 'char(36)' and collation_name <> ${collation}`.execute(db)
  const mismatchedColumns = new Set(rows.map(({ table, column }) => `${table.toLowerCase()}.${column}`))
  const columnsByTable = new Map<Table, string[]>()
  for (const table of tables) {
    if (tablesWithoutJoins.has(table.name)) continue
    const columns = Object.keys(table.columns).filter((column) => mismatchedColumns.has(`${table.name}.${column}`))
    if (columns.length > 0) columnsByTable.set(table, columns)
  }
  return { collation, columnsByTable }
}

/** Changes the collation of our SID columns to the platform's. Runs at every start. SQLite needs none. */
export const alignCollations = async (db: Kysely<Tables>, tables: readonly Table[]): Promise<void> => {
  const mismatch = await findMismatchedColumns(db, tables)
  if (!mismatch) return
  for (const [table, columns] of mismatch.columnsByTable) {
    const changes = columns.map(
      (name) => `modify column ${renderMysqlColumn(name, table.columns[name]!, { sidCollation: mismatch.collation })}`,
    )
    await sql.raw(`alter table ${table.name} ${changes.join(', ')}`).execute(db)
  }
}

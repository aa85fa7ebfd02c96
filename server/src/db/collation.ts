import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Table } from './columns'
import { engineOf } from './database'
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
 * Changes the collation of our SID columns to the platform's, because MySQL cannot join columns with different collations.
 * Runs at every start: a restored dump often has another collation than the tables this server created. SQLite needs none.
 */
export const alignCollations = async (db: Kysely<Tables>, tables: readonly Table[]): Promise<void> => {
  if (engineOf(db) === 'sqlite') return
  const platformCollation = await readCollation(db, 'users', 'user_sid')
  if (!platformCollation) return
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as ${sql.ref('table')}, column_name as ${sql.ref('column')} from information_schema.columns
    where table_schema = database() and column_type = 'char(36)' and collation_name <> ${platformCollation}`.execute(db)
  const mismatchedColumns = new Set(rows.map(({ table, column }) => `${table.toLowerCase()}.${column}`))
  for (const { name, columns } of tables) {
    if (tablesWithoutJoins.has(name)) continue
    const changes = Object.entries(columns)
      .filter(([columnName]) => mismatchedColumns.has(`${name}.${columnName}`))
      .map(
        ([columnName, column]) =>
          `modify column ${renderMysqlColumn(columnName, column, { sidCollation: platformCollation })}`,
      )
    if (changes.length > 0) await sql.raw(`alter table ${name} ${changes.join(', ')}`).execute(db)
  }
}

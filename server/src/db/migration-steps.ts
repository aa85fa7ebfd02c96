import { sql, type Kysely } from 'kysely'
import { readCollation } from './collation'
import type { Table } from './columns'
import { engineOf } from './database'
import { renderMysqlTable } from './render-mysql'
import type { MysqlTextOptions } from './render-mysql'
import { renderSqliteTable } from './render-sqlite'
import type { Tables } from './schema'

const readTextOptions = async (db: Kysely<Tables>): Promise<MysqlTextOptions> => {
  const sidCollation = await readCollation(db, 'accounts', 'account_sid')
  return sidCollation ? { sidCollation } : {}
}

const listCreateStatements = async (db: Kysely<Tables>, tables: readonly Table[]): Promise<string[]> => {
  if (engineOf(db) === 'sqlite') return tables.flatMap((table) => renderSqliteTable(table))
  const textOptions = await readTextOptions(db)
  return tables.flatMap((table) => renderMysqlTable(table, textOptions))
}

/** Creates the tables that do not exist. On MySQL, their SID columns get the collation of the platform's SIDs. */
export const createTables = async (db: Kysely<Tables>, tables: readonly Table[]): Promise<void> => {
  const statements = await listCreateStatements(db, tables)
  const isMysql = engineOf(db) === 'mysql'
  if (isMysql) await sql`set session foreign_key_checks = 0`.execute(db)
  try {
    for (const statement of statements) await sql.raw(statement).execute(db)
  } finally {
    if (isMysql) await sql`set session foreign_key_checks = 1`.execute(db)
  }
}

/** Drops tables of earlier migrations that no code uses any more. */
export const dropTables = async (db: Kysely<Tables>, tables: readonly Table[]): Promise<void> => {
  for (const { name } of tables) await sql`drop table if exists ${sql.table(name)}`.execute(db)
}

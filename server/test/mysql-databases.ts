import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { openDatabase, type Database } from '../src/db/database'
import { migrate } from '../src/db/migrate'
import { trunklineMigrations } from '../src/db/migrations/0002-sessions'
import type { Tables } from '../src/db/schema'
import { readTableColumns } from '../src/db/platform-check'

/** A MySQL or MariaDB server for the tests, such as mysql://root@127.0.0.1:3306. The user may create databases. */
export const mysqlServer = process.env.TEST_MYSQL_URL

/** A new empty database for one test. Closing deletes it. `openAgain` opens a second connection. */
export interface EmptyDatabase extends Database {
  openAgain: () => Database
}

const runOnMysqlServer = async (statement: string): Promise<void> => {
  const server = openDatabase(new URL('/information_schema', mysqlServer).href, { connectionLimit: 1 })
  try {
    await sql.raw(statement).execute(server.db)
  } finally {
    await server.close()
  }
}

const openByName = (name: string): Database =>
  openDatabase(new URL(`/${name}`, mysqlServer).href, { connectionLimit: 4 })

const createByName = async (collation?: string): Promise<string> => {
  const name = `trunkline_test_${randomBytes(8).toString('hex')}`
  await runOnMysqlServer(`create database ${name}${collation ? ` collate ${collation}` : ''}`)
  return name
}

const dropByName = (name: string): Promise<void> => runOnMysqlServer(`drop database ${name}`)

export const createEmptyMysqlDatabase = async (collation?: string): Promise<EmptyDatabase> => {
  const name = await createByName(collation)
  const database = openByName(name)
  return {
    ...database,
    openAgain: () => openByName(name),
    close: async () => {
      await database.close()
      await dropByName(name)
    },
  }
}

/** Changes with every column, index and trigger. */
const computeSchemaChecksum = async (db: Kysely<Tables>): Promise<string> => {
  const { rows } = await sql<{ checksum: string }>`
    select concat_ws('-',
      (select sum(crc32(concat_ws('|', table_name, column_name, column_type, is_nullable, column_default, collation_name)))
        from information_schema.columns where table_schema = database()),
      (select sum(crc32(concat_ws('|', table_name, index_name, seq_in_index, column_name)))
        from information_schema.statistics where table_schema = database()),
      (select count(*) from information_schema.triggers where trigger_schema = database())) as checksum`.execute(db)
  return rows[0]!.checksum
}

/** Deletes all rows except the list of migrations. */
const deleteRows = async (db: Kysely<Tables>): Promise<void> => {
  const tables = [...(await readTableColumns(db)).keys()].filter((name) => name !== trunklineMigrations.name)
  const { rows } = await sql<{ name: string }>`${sql.join(
    tables.map((name) => sql`select ${sql.lit(name)} as name where exists (select 1 from ${sql.table(name)})`),
    sql` union all `,
  )}`.execute(db)
  await db.connection().execute(async (connection) => {
    await sql`set foreign_key_checks = 0`.execute(connection)
    for (const { name } of rows) await sql`delete from ${sql.table(name)}`.execute(connection)
    await sql`set foreign_key_checks = 1`.execute(connection)
  })
}

interface IdleDatabase {
  name: string
  schemaChecksum: string
}

/** Databases without rows that earlier tests of this file have closed: creating all tables takes half a second. */
const idleDatabases: IdleDatabase[] = []

/** A database with all tables, and without rows. Closing it keeps it for the next test, unless its schema has changed. */
export const createMigratedMysqlDatabase = async (): Promise<Database> => {
  const idleDatabase = idleDatabases.pop()
  const name = idleDatabase?.name ?? (await createByName())
  const database = openByName(name)
  if (!idleDatabase) await migrate(database.db)
  const schemaChecksum = idleDatabase?.schemaChecksum ?? (await computeSchemaChecksum(database.db))
  return {
    ...database,
    close: async () => {
      await database.close()
      const reopened = openByName(name)
      const isUnchanged = (await computeSchemaChecksum(reopened.db)) === schemaChecksum
      if (isUnchanged) await deleteRows(reopened.db)
      await reopened.close()
      if (isUnchanged) idleDatabases.push({ name, schemaChecksum })
      else await dropByName(name)
    },
  }
}

/** Called after each test file. */
export const dropIdleDatabases = async (): Promise<void> => {
  for (const { name } of idleDatabases.splice(0)) await dropByName(name)
}

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '../src/db/database'
import type { Database, DatabaseEngine } from '../src/db/database'
import { migrate } from '../src/db/migrate'
import { seed } from '../src/db/seed'
import { seedAdmin } from '../src/db/seed-admin'
import type { AdminOptions, SeededAdmin } from '../src/db/seed-admin'
import type { PasswordCost } from '../src/secrets/password'

/** Argon2 parameters for fast tests. */
export const cheapPasswordCost: PasswordCost = { memoryCost: 32, timeCost: 1, parallelism: 1 }

/** A MySQL or MariaDB server for the tests, such as mysql://root@127.0.0.1:3306. The user may create databases. */
const mysqlServer = process.env.TEST_MYSQL_URL

/** The database engines that SQL tests run on; only MySQL if an earlier run has covered SQLite. */
export const databaseEngines: DatabaseEngine[] = [
  ...(process.env.TEST_ENGINE === 'mysql' ? [] : ['sqlite' as const]),
  ...(mysqlServer ? ['mysql' as const] : []),
]

const runOnMysqlServer = async (statement: string): Promise<void> => {
  const server = openDatabase(new URL('/information_schema', mysqlServer).href, { connectionLimit: 1 })
  try {
    await sql.raw(statement).execute(server.db)
  } finally {
    await server.close()
  }
}

/** A new empty database for one test. Closing deletes it. `openAgain` opens a second connection. */
export interface EmptyDatabase extends Database {
  openAgain: () => Database
}

export const createEmptyDatabase = async (
  databaseEngine: DatabaseEngine,
  options: { collation?: string } = {},
): Promise<EmptyDatabase> => {
  if (databaseEngine === 'sqlite') {
    return { ...openDatabase(':memory:'), openAgain: () => openDatabase(':memory:') }
  }
  const name = `trunkline_test_${randomBytes(8).toString('hex')}`
  await runOnMysqlServer(`create database ${name}${options.collation ? ` collate ${options.collation}` : ''}`)
  const open = () => openDatabase(new URL(`/${name}`, mysqlServer).href, { connectionLimit: 4 })
  const database = open()
  return {
    ...database,
    openAgain: open,
    close: async () => {
      await database.close()
      await runOnMysqlServer(`drop database ${name}`)
    },
  }
}

/** A new installation whose database two programs have open. */
export interface SharedDatabase {
  database: Database
  otherProgram: Database
  close: () => Promise<void>
}

export const createSharedDatabase = async (databaseEngine: DatabaseEngine): Promise<SharedDatabase> => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
  const openFile = () => openDatabase(join(folder, 'data.db'))
  const emptyDatabase = databaseEngine === 'mysql' ? await createEmptyDatabase('mysql') : undefined
  const database = emptyDatabase ?? openFile()
  const otherProgram = emptyDatabase?.openAgain() ?? openFile()
  await migrate(database.db)
  await seed(database.db)
  return {
    database,
    otherProgram,
    close: async () => {
      await otherProgram.close()
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export interface SeededDatabase extends Database {
  admin?: SeededAdmin
}

/** A new installation: all tables, the initial rows and, if requested, the admin user. */
export const createSeededDatabase = async (
  databaseEngine: DatabaseEngine = 'sqlite',
  admin?: AdminOptions,
): Promise<SeededDatabase> => {
  const database = await createEmptyDatabase(databaseEngine)
  await migrate(database.db)
  await seed(database.db)
  if (!admin) return database
  return { ...database, admin: await seedAdmin(database.db, { cost: cheapPasswordCost, ...admin }) }
}

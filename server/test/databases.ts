import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
import {
  createEmptyMysqlDatabase,
  createMigratedMysqlDatabase,
  mysqlServer,
  type EmptyDatabase,
} from './mysql-databases'

export type { EmptyDatabase }

/** Argon2 parameters for fast tests. */
export const cheapPasswordCost: PasswordCost = { memoryCost: 32, timeCost: 1, parallelism: 1 }

/** The database engines that SQL tests run on; only MySQL if an earlier run has covered SQLite. */
export const databaseEngines: DatabaseEngine[] = [
  ...(process.env.TEST_ENGINE === 'mysql' ? [] : ['sqlite' as const]),
  ...(mysqlServer ? ['mysql' as const] : []),
]

export const createEmptyDatabase = async (
  databaseEngine: DatabaseEngine,
  options: { collation?: string } = {},
): Promise<EmptyDatabase> =>
  databaseEngine === 'mysql'
    ? createEmptyMysqlDatabase(options.collation)
    : { ...openDatabase(':memory:'), openAgain: () => openDatabase(':memory:') }

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

const createMigratedFile = async (): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
  const path = join(folder, 'data.db')
  const database = openDatabase(':memory:')
  await migrate(database.db)
  await sql`vacuum into ${path}`.execute(database.db)
  await database.close()
  const file = readFileSync(path)
  rmSync(folder, { recursive: true })
  return file
}

/** Created once per process, because the migrations take ten times as long as opening a copy of their result. */
let migratedFile: Promise<Buffer> | undefined

const createMigratedDatabase = async (databaseEngine: DatabaseEngine): Promise<Database> => {
  if (databaseEngine === 'mysql') return createMigratedMysqlDatabase()
  migratedFile ??= createMigratedFile()
  return openDatabase(':memory:', { initialContent: await migratedFile })
}

/** A new installation: all tables, the initial rows and, if requested, the admin user. */
export const createSeededDatabase = async (
  databaseEngine: DatabaseEngine = 'sqlite',
  admin?: AdminOptions,
): Promise<SeededDatabase> => {
  const database = await createMigratedDatabase(databaseEngine)
  await seed(database.db)
  if (!admin) return database
  return { ...database, admin: await seedAdmin(database.db, { cost: cheapPasswordCost, ...admin }) }
}

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { openDatabase } from '../src/db/database'
import type { Database, Engine } from '../src/db/database'
import { migrate } from '../src/db/migrate'
import { seed } from '../src/db/seed'
import { seedAdmin } from '../src/db/seed-admin'
import type { AdminOptions, SeededAdmin } from '../src/db/seed-admin'
import type { PasswordCost } from '../src/secrets/password'

/** Argon2 parameters for fast tests. */
export const CHEAP: PasswordCost = { memoryCost: 32, timeCost: 1, parallelism: 1 }

/** A MySQL or MariaDB server for the tests, such as mysql://root@127.0.0.1:3306. The user may create databases. */
const mysqlServer = process.env.TEST_MYSQL_URL

/** The engines that SQL tests run on; only MySQL if an earlier run has covered SQLite. */
export const engines: Engine[] = [
  ...(process.env.TEST_ENGINE === 'mysql' ? [] : ['sqlite' as const]),
  ...(mysqlServer ? ['mysql' as const] : []),
]

const onMysqlServer = async (statement: string): Promise<void> => {
  const server = openDatabase(new URL('/information_schema', mysqlServer).href, { connectionLimit: 1 })
  try {
    await sql.raw(statement).execute(server.db)
  } finally {
    await server.close()
  }
}

/** A new empty database for one test. Closing deletes it. `again` opens a second connection. */
export interface EmptyDatabase extends Database {
  openAgain: () => Database
}

export const emptyDatabase = async (engine: Engine, options: { collation?: string } = {}): Promise<EmptyDatabase> => {
  if (engine === 'sqlite') {
    return { ...openDatabase(':memory:'), openAgain: () => openDatabase(':memory:') }
  }
  const name = `trunkline_test_${randomBytes(8).toString('hex')}`
  await onMysqlServer(`create database ${name}${options.collation ? ` collate ${options.collation}` : ''}`)
  const open = () => openDatabase(new URL(`/${name}`, mysqlServer).href, { connectionLimit: 4 })
  const database = open()
  return {
    ...database,
    openAgain: open,
    close: async () => {
      await database.close()
      await onMysqlServer(`drop database ${name}`)
    },
  }
}

export interface FreshDatabase extends Database {
  admin?: SeededAdmin
}

/** A new installation: all tables, the initial rows and, if requested, the admin user. */
export const fresh = async (engine: Engine = 'sqlite', admin?: AdminOptions): Promise<FreshDatabase> => {
  const database = await emptyDatabase(engine)
  await migrate(database.db)
  await seed(database.db)
  if (!admin) return database
  return { ...database, admin: await seedAdmin(database.db, { cost: CHEAP, ...admin }) }
}

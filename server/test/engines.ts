import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { openDatabase } from '../src/db/database'
import type { Database, Engine } from '../src/db/database'
import { migrate } from '../src/db/migrate'
import { seed } from '../src/db/seed'
import { seedAdmin } from '../src/db/seed-admin'
import type { AdminOptions, SeededAdmin } from '../src/db/seed-admin'
import type { PasswordCost } from '../src/secrets/password'

/** Argon2 parameters that cost next to nothing. */
export const CHEAP: PasswordCost = { memoryCost: 32, timeCost: 1, parallelism: 1 }

/** The MySQL or MariaDB server to test on as well, e.g. mysql://root@127.0.0.1:3306; its user may make databases. */
const mysqlServer = process.env.TEST_MYSQL_URL

/** The engines that tests of SQL run on. Where SQLite has had its turn already, MySQL alone. */
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

/** An empty database of its own for one test; closing it throws it away. `again` opens it a second time. */
export interface EmptyDatabase extends Database {
  again: () => Database
}

export const emptyDatabase = async (engine: Engine, options: { collation?: string } = {}): Promise<EmptyDatabase> => {
  if (engine === 'sqlite') {
    return { ...openDatabase(':memory:'), again: () => openDatabase(':memory:') }
  }
  const name = `trunkline_test_${randomBytes(8).toString('hex')}`
  await onMysqlServer(`create database ${name}${options.collation ? ` collate ${options.collation}` : ''}`)
  const open = () => openDatabase(new URL(`/${name}`, mysqlServer).href, { connectionLimit: 4 })
  const database = open()
  return {
    ...database,
    again: open,
    close: async () => {
      await database.close()
      await onMysqlServer(`drop database ${name}`)
    },
  }
}

export interface FreshDatabase extends Database {
  admin?: SeededAdmin
}

/** A new installation: all tables, the first rows, and the admin user when asked for. */
export const fresh = async (engine: Engine = 'sqlite', admin?: AdminOptions): Promise<FreshDatabase> => {
  const database = await emptyDatabase(engine)
  await migrate(database.db, engine)
  await seed(database.db)
  if (!admin) return database
  return { ...database, admin: await seedAdmin(database.db, { cost: CHEAP, ...admin }) }
}

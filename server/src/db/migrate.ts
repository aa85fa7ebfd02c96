import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { inExclusiveTransaction } from './exclusive-transaction'
import { alignCollations, collationOf } from './collation'
import type { Table } from './columns'
import type { Engine } from './database'
import { withLongStatements } from './mysql-pool'
import { platformTables } from './migrations/0001-platform'
import { trunklineLoginAttempts, trunklineMigrations, trunklineSessions } from './migrations/0002-sessions'
import { trunklineResetLinks } from './migrations/0003-reset-links'
import { trunklineAlerts, trunklineCalls, trunklineHourCounts } from './migrations/0004-call-history'
import { trunklineTraceParts } from './migrations/0005-traces'
import { trunklineCaptureParts } from './migrations/0006-captures'
import { trunklineCallNumbers, trunklineProgress } from './migrations/0007-call-numbers'
import { trunklineRecordings } from './migrations/0008-recordings'
import { trunklineCallPacks } from './migrations/0009-call-packs'
import { trunklineEmailChanges } from './migrations/0010-email-changes'
import { trunklinePackedCalls } from './migrations/0011-packed-calls'
import { trunklineLoginFailures } from './migrations/0012-login-failures'
import { trunklineUnusedWebhooks } from './migrations/0013-unused-webhooks'
import { trunklineSecretFingerprints, trunklineUploadClaims } from './migrations/0014-replicas'
import { trunklineApiKeyNames } from './migrations/0015-api-key-names'
import { mysqlTable } from './render-mysql'
import type { MysqlTextOptions } from './render-mysql'
import { sqliteTable } from './render-sqlite'
import type { Tables } from './schema'
import { assertPlatform, readInventory } from './platform-check'
import type { Inventory } from './platform-check'
import { toColumnTime } from './time'

interface Migration {
  name: string
  tables: readonly Table[]
  /** Tables of earlier migrations that no code uses any more. */
  droppedTables?: readonly Table[]
}

/** The only migration that is never applied to an existing platform database. */
const PLATFORM: Migration = { name: '0001-platform', tables: platformTables }

/** In the order of their numbers. Released migrations are never edited; a change is a new migration. */
const migrations: readonly Migration[] = [
  PLATFORM,
  { name: '0002-sessions', tables: [trunklineSessions, trunklineLoginAttempts] },
  { name: '0003-reset-links', tables: [trunklineResetLinks] },
  { name: '0004-call-history', tables: [trunklineCalls, trunklineAlerts, trunklineHourCounts] },
  { name: '0005-traces', tables: [trunklineTraceParts] },
  { name: '0006-captures', tables: [trunklineCaptureParts] },
  { name: '0007-call-numbers', tables: [trunklineCallNumbers, trunklineProgress] },
  { name: '0008-recordings', tables: [trunklineRecordings] },
  { name: '0009-call-packs', tables: [trunklineCallPacks], droppedTables: [trunklineCallNumbers] },
  { name: '0010-email-changes', tables: [trunklineEmailChanges] },
  { name: '0011-packed-calls', tables: [trunklinePackedCalls], droppedTables: [trunklineCallPacks] },
  { name: '0012-login-failures', tables: [trunklineLoginFailures], droppedTables: [trunklineLoginAttempts] },
  { name: '0013-unused-webhooks', tables: [trunklineUnusedWebhooks] },
  { name: '0014-replicas', tables: [trunklineSecretFingerprints, trunklineUploadClaims] },
  { name: '0015-api-key-names', tables: [trunklineApiKeyNames] },
]

const trunklineTables = migrations.filter((migration) => migration !== PLATFORM).flatMap(({ tables }) => tables)

/** A migration failed. The next start tries it again. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'

  constructor(migration: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`The database could not be prepared: migration ${migration} failed (${reason}). The next start repeats it.`, {
      cause,
    })
  }
}

export interface MigrationResult {
  /** 'existing' if the platform's tables were there before the first start of this server. */
  origin: 'created' | 'existing'
  /** The migrations that this start applied. */
  applied: string[]
}

const isTrunklineTable = (table: string) => table.startsWith('trunkline_')

const createTables = async (
  db: Kysely<Tables>,
  engine: Engine,
  tables: readonly Table[],
  textOptions: MysqlTextOptions,
): Promise<void> => {
  const statements = tables.flatMap((table) =>
    engine === 'mysql' ? mysqlTable(table, textOptions) : sqliteTable(table),
  )
  if (engine === 'mysql') await sql`set session foreign_key_checks = 0`.execute(db)
  try {
    for (const statement of statements) await sql.raw(statement).execute(db)
  } finally {
    if (engine === 'mysql') await sql`set session foreign_key_checks = 1`.execute(db)
  }
}

/** Records the start and the end of a migration, because MySQL cannot roll back the creation of tables. */
const applyMigration = async (
  db: Kysely<Tables>,
  engine: Engine,
  { name, tables, droppedTables = [] }: Migration,
  textOptions: MysqlTextOptions,
): Promise<void> => {
  try {
    const startedRow = await db
      .selectFrom('trunkline_migrations')
      .select('name')
      .where('name', '=', name)
      .executeTakeFirst()
    if (!startedRow) await db.insertInto('trunkline_migrations').values({ name, applied_at: null }).execute()
    await createTables(db, engine, tables, textOptions)
    for (const table of droppedTables) await sql`drop table if exists ${sql.table(table.name)}`.execute(db)
    await db.updateTable('trunkline_migrations').set({ applied_at: toColumnTime() }).where('name', '=', name).execute()
  } catch (error) {
    throw new MigrationError(name, error)
  }
}

const platformTextOptions = async (db: Kysely<Tables>, engine: Engine): Promise<MysqlTextOptions> => {
  if (engine === 'sqlite') return {}
  const sidCollation = await collationOf(db, 'accounts', 'account_sid')
  return sidCollation ? { sidCollation } : {}
}

/** Migration name to whether it is completed; migrations that never started are missing. */
const migrationStates = async (db: Kysely<Tables>, existingTables: Inventory): Promise<Map<string, boolean>> => {
  if (!existingTables.has(trunklineMigrations.name)) return new Map()
  const rows = await db.selectFrom('trunkline_migrations').selectAll().execute()
  return new Map(rows.map((row) => [row.name, row.applied_at !== null]))
}

const prepare = async (connection: Kysely<Tables>, engine: Engine): Promise<MigrationResult> => {
  const existingTables = await readInventory(connection)
  const completed = await migrationStates(connection, existingTables)
  const otherTables = [...existingTables.keys()].filter((table) => !isTrunklineTable(table))
  const platformCreation = completed.has(PLATFORM.name) ? 'before' : otherTables.length === 0 ? 'now' : 'never'
  const isPlatformUnfinished = platformCreation === 'before' && completed.get(PLATFORM.name) === false
  if (platformCreation === 'never' || (platformCreation === 'before' && !isPlatformUnfinished)) {
    await assertPlatform(connection, existingTables, { requiresVersion: platformCreation === 'never' })
  }

  await createTables(connection, engine, [trunklineMigrations], {})
  const applied: string[] = []
  for (const migration of migrations) {
    if (completed.get(migration.name) || (migration === PLATFORM && platformCreation === 'never')) continue
    await applyMigration(connection, engine, migration, await platformTextOptions(connection, engine))
    applied.push(migration.name)
  }
  await alignCollations(connection, trunklineTables)
  return { origin: platformCreation === 'never' ? 'existing' : 'created', applied }
}

/**
 * Migrates the database to this version. An empty database gets all tables. An existing platform database is checked
 * (throws UnsuitableDatabaseError) and gets only the missing tables of ours. Several processes may start at the same time.
 */
export const migrate = (db: Kysely<Tables>, engine: Engine): Promise<MigrationResult> =>
  withLongStatements(() => inExclusiveTransaction(db, (connection) => prepare(connection, engine)))

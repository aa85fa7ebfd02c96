import type { Kysely } from 'kysely'
import { inExclusiveTransaction } from './exclusive-transaction'
import { alignCollations, assertJoinable, findMismatchedColumns } from './collation'
import type { Table } from './columns'
import { withLongStatements } from './mysql-pool'
import * as platform from './migrations/0001-platform'
import * as sessions from './migrations/0002-sessions'
import { trunklineMigrations as migrationsTable } from './migrations/0002-sessions'
import * as resetLinks from './migrations/0003-reset-links'
import * as callHistory from './migrations/0004-call-history'
import * as traces from './migrations/0005-traces'
import * as captures from './migrations/0006-captures'
import * as callNumbers from './migrations/0007-call-numbers'
import * as recordings from './migrations/0008-recordings'
import * as callPacks from './migrations/0009-call-packs'
import * as emailChanges from './migrations/0010-email-changes'
import * as packedCalls from './migrations/0011-packed-calls'
import * as loginFailures from './migrations/0012-login-failures'
import * as unusedWebhooks from './migrations/0013-unused-webhooks'
import * as replicas from './migrations/0014-replicas'
import * as apiKeyNames from './migrations/0015-api-key-names'
import * as registrations from './migrations/0016-registrations'
import * as billing from './migrations/0017-billing'
import * as trialReminders from './migrations/0018-trial-reminders'
import * as identities from './migrations/0019-identities'
import * as dnsRemovals from './migrations/0020-dns-removals'
import * as signInChanges from './migrations/0021-sign-in-changes'
import * as savedViews from './migrations/0022-saved-views'
import * as groupedAlerts from './migrations/0023-grouped-alerts'
import type { MigrationContext } from './migration-context'
import { createTables, dropTables } from './migration-steps'
import type { Tables } from './schema'
import { assertPlatformTables, readTableColumns } from './platform-check'
import { platformTables } from './platform-tables'
import type { ColumnsByTable } from './platform-check'
import { toColumnTime } from './time'

interface Migration {
  name: string
  /** Runs on every database that lacks it, and again if it failed. Each of its steps must tolerate being repeated. */
  up: (context: MigrationContext) => Promise<void>
}

/** The only migration that is never applied to an existing platform database. */
const platformMigration: Migration = { name: '0001-platform', up: platform.up }

interface MigrationModule {
  up: Migration['up']
  createdTables: readonly Table[]
}

const nameMigration = (name: string, { up, createdTables }: MigrationModule) => ({ name, up, createdTables })

/** In the order of their numbers. Released migrations are never edited; a change is a new migration. */
const trunklineMigrationList = [
  nameMigration('0002-sessions', sessions),
  nameMigration('0003-reset-links', resetLinks),
  nameMigration('0004-call-history', callHistory),
  nameMigration('0005-traces', traces),
  nameMigration('0006-captures', captures),
  nameMigration('0007-call-numbers', callNumbers),
  nameMigration('0008-recordings', recordings),
  nameMigration('0009-call-packs', callPacks),
  nameMigration('0010-email-changes', emailChanges),
  nameMigration('0011-packed-calls', packedCalls),
  nameMigration('0012-login-failures', loginFailures),
  nameMigration('0013-unused-webhooks', unusedWebhooks),
  nameMigration('0014-replicas', replicas),
  nameMigration('0015-api-key-names', apiKeyNames),
  nameMigration('0016-registrations', registrations),
  nameMigration('0017-billing', billing),
  nameMigration('0018-trial-reminders', trialReminders),
  nameMigration('0019-identities', identities),
  nameMigration('0020-dns-removals', dnsRemovals),
  nameMigration('0021-sign-in-changes', signInChanges),
  nameMigration('0022-saved-views', savedViews),
  nameMigration('0023-grouped-alerts', groupedAlerts),
]

const migrations: readonly Migration[] = [platformMigration, ...trunklineMigrationList]

const trunklineTables: readonly Table[] = trunklineMigrationList.flatMap(({ createdTables }) => createdTables)

/** A migration failed. The next start tries it again. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'

  constructor(migration: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(
      `The database could not be prepared: migration ${migration} failed (${reason}). Fix the cause and start again.`,
      {
        cause,
      },
    )
  }
}

export interface MigrationResult {
  /** 'existing' if the platform's tables were there before the first start of this server. */
  platformOrigin: 'created' | 'existing'
  /** The migrations that this start applied. */
  appliedMigrations: string[]
}

const isTrunklineTable = (table: string) => table.startsWith('trunkline_')

const createMigrationContext = (db: Kysely<Tables>): MigrationContext => ({
  createTables: (tables) => createTables(db, tables),
  dropTables: (tables) => dropTables(db, tables),
})

/** Records the start and the end of a migration, because MySQL cannot roll back the creation of tables. */
const applyMigration = async (db: Kysely<Tables>, { name, up }: Migration): Promise<void> => {
  try {
    const existingRow = await db
      .selectFrom('trunkline_migrations')
      .select('name')
      .where('name', '=', name)
      .executeTakeFirst()
    if (!existingRow) await db.insertInto('trunkline_migrations').values({ name, applied_at: null }).execute()
    await up(createMigrationContext(db))
    await db.updateTable('trunkline_migrations').set({ applied_at: toColumnTime() }).where('name', '=', name).execute()
  } catch (error) {
    throw new MigrationError(name, error)
  }
}

/** Migration name to whether it is completed; migrations that never started are missing. */
const readMigrationStates = async (
  db: Kysely<Tables>,
  existingColumns: ColumnsByTable,
): Promise<Map<string, boolean>> => {
  if (!existingColumns.has(migrationsTable.name)) return new Map()
  const rows = await db.selectFrom('trunkline_migrations').selectAll().execute()
  return new Map(rows.map((row) => [row.name, row.applied_at !== null]))
}

/**
 * Reads the state of a database. Throws UnsuitableDatabaseError if this server cannot use it. `platformCreation`: when this
 * server created the platform's tables: before this start, in this start, or never, because the platform's own setup did.
 */
const readDatabaseState = async (connection: Kysely<Tables>) => {
  const existingColumns = await readTableColumns(connection)
  const completionByMigration = await readMigrationStates(connection, existingColumns)
  const otherTables = [...existingColumns.keys()].filter((table) => !isTrunklineTable(table))
  const platformCreation = completionByMigration.has(platformMigration.name)
    ? 'before'
    : otherTables.length === 0
      ? 'now'
      : 'never'
  const isPlatformUnfinished =
    platformCreation === 'before' && completionByMigration.get(platformMigration.name) === false
  if (platformCreation === 'never' || (platformCreation === 'before' && !isPlatformUnfinished)) {
    await assertPlatformTables(connection, existingColumns, { requiresVersion: platformCreation === 'never' })
    await assertJoinable(connection, platformTables)
  }
  const pendingMigrations = migrations.filter(
    (migration) =>
      !completionByMigration.get(migration.name) && (migration !== platformMigration || platformCreation !== 'never'),
  )
  return { platformCreation, pendingMigrations, startedNames: [...completionByMigration.keys()] } as const
}

const prepareDatabase = async (connection: Kysely<Tables>): Promise<MigrationResult> => {
  const { platformCreation, pendingMigrations } = await readDatabaseState(connection)
  await createTables(connection, [migrationsTable])
  const appliedMigrations: string[] = []
  for (const migration of pendingMigrations) {
    await applyMigration(connection, migration)
    appliedMigrations.push(migration.name)
  }
  await alignCollations(connection, trunklineTables)
  return { platformOrigin: platformCreation === 'never' ? 'existing' : 'created', appliedMigrations }
}

/**
 * Migrates the database to this version. An empty database gets all tables. An existing platform database is checked
 * (throws UnsuitableDatabaseError) and gets only this server's missing tables. Several processes may start at the same time.
 */
export const migrate = (db: Kysely<Tables>): Promise<MigrationResult> =>
  withLongStatements(() => inExclusiveTransaction(db, prepareDatabase))

/** What the next start of this server would change in a database. */
export interface DatabaseInspection {
  isEmpty: boolean
  /** Migrations that the next start applies. */
  pendingMigrations: string[]
  /** Applied migrations that this version does not know, because a newer version applied them. */
  unknownMigrations: string[]
  /** Our tables whose SIDs MySQL cannot join with the platform's. The next start changes their collation. */
  mismatchedTables: string[]
}

/** Inspects a database without changing it. Throws UnsuitableDatabaseError if this server cannot use it. */
export const inspectDatabase = async (db: Kysely<Tables>): Promise<DatabaseInspection> => {
  const { platformCreation, pendingMigrations, startedNames } = await readDatabaseState(db)
  const mismatch = await findMismatchedColumns(db, trunklineTables)
  return {
    isEmpty: platformCreation === 'now',
    pendingMigrations: pendingMigrations.map(({ name }) => name),
    unknownMigrations: startedNames.filter((name) => !migrations.some((migration) => migration.name === name)),
    mismatchedTables: [...(mismatch?.columnsByTable.keys() ?? [])].map(({ name }) => name),
  }
}

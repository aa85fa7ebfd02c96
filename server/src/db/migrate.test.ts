import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { createEmptyDatabase, databaseEngines } from '../../test/databases'
import type { EmptyDatabase } from '../../test/databases'
import type { DatabaseEngine } from './database'
import { MigrationError, migrate } from './migrate'
import { platformTables } from './platform-tables'
import { trunklineCallNumbers } from './migrations/0007-call-numbers'
import { renderMysqlTable } from './render-mysql'
import { renderSqliteTable } from './render-sqlite'
import type { Tables } from './schema'
import { seed } from './seed'
import { UnsuitableDatabaseError } from './platform-check'

/** The migrations that every database gets. */
const trunklineMigrationNames = [
  '0002-sessions',
  '0003-reset-links',
  '0004-call-history',
  '0005-traces',
  '0006-captures',
  '0007-call-numbers',
  '0008-recordings',
  '0009-call-packs',
  '0010-email-changes',
  '0011-packed-calls',
  '0012-login-failures',
  '0013-unused-webhooks',
  '0014-replicas',
  '0015-api-key-names',
  '0016-registrations',
  '0017-billing',
  '0018-trial-reminders',
  '0019-identities',
  '0020-dns-removals',
  '0021-sign-in-changes',
  '0022-saved-views',
  '0023-grouped-alerts',
]

/** Creates the platform's tables as the platform's own setup does: with a version row, without our tables. */
const createPlatformTables = async (
  { db }: EmptyDatabase,
  databaseEngine: DatabaseEngine,
  { version = '0.9.6', collation = 'utf8mb4_unicode_ci' }: { version?: string | null; collation?: string } = {},
) => {
  const charsetOptions = `SET=${collation.split('_')[0]} COLLATE=${collation}`
  await db.connection().execute(async (connection) => {
    if (databaseEngine === 'mysql') await sql`set foreign_key_checks = 0`.execute(connection)
    for (const table of platformTables) {
      for (const statement of databaseEngine === 'mysql' ? renderMysqlTable(table) : renderSqliteTable(table)) {
        await sql.raw(statement.replace(/SET=utf8mb4 COLLATE=\w+/, charsetOptions)).execute(connection)
      }
    }
    if (databaseEngine === 'mysql') await sql`set foreign_key_checks = 1`.execute(connection)
  })
  if (version) await db.insertInto('schema_version').values({ version }).execute()
}

const listTables = async (db: Kysely<Tables>): Promise<string[]> =>
  (await db.introspection.getTables()).map(({ name }) => name).sort()

describe.each(databaseEngines)('migrate on %s', (databaseEngine) => {
  let database: EmptyDatabase
  afterEach(() => database.close())

  const migrationError = async (): Promise<unknown> =>
    migrate(database.db).then(
      () => undefined,
      (error: unknown) => error,
    )

  test('creates all tables in an empty database, once', async () => {
    database = await createEmptyDatabase(databaseEngine)
    const result = await migrate(database.db)
    expect(result).toEqual({
      platformOrigin: 'created',
      appliedMigrations: ['0001-platform', ...trunklineMigrationNames],
    })
    const tables = await listTables(database.db)
    expect(tables).toHaveLength(68)
    expect(await migrate(database.db)).toEqual({ platformOrigin: 'created', appliedMigrations: [] })
    expect(await seed(database.db)).toBe(true)
    expect(await migrate(database.db)).toEqual({ platformOrigin: 'created', appliedMigrations: [] })
    expect(await listTables(database.db)).toEqual(tables)
    const rows = await database.db.selectFrom('trunkline_migrations').selectAll().orderBy('name').execute()
    expect(rows.map(({ name }) => name)).toEqual(['0001-platform', ...trunklineMigrationNames])
    for (const { applied_at } of rows) expect(applied_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  test("adds only our tables and no rows to the platform's database", async () => {
    database = await createEmptyDatabase(databaseEngine)
    await createPlatformTables(database, databaseEngine)
    const initialTables = await listTables(database.db)
    expect(await migrate(database.db)).toEqual({
      platformOrigin: 'existing',
      appliedMigrations: trunklineMigrationNames,
    })
    expect(await seed(database.db)).toBe(false)
    const addedTables = (await listTables(database.db)).filter((table) => !initialTables.includes(table))
    expect(addedTables).toEqual([
      'trunkline_alerts',
      'trunkline_api_key_names',
      'trunkline_attempt_counts',
      'trunkline_calls',
      'trunkline_capture_parts',
      'trunkline_dns_removals',
      'trunkline_email_changes',
      'trunkline_grouped_alerts',
      'trunkline_hour_counts',
      'trunkline_identities',
      'trunkline_leases',
      'trunkline_login_failures',
      'trunkline_migrations',
      'trunkline_packed_calls',
      'trunkline_payment_operations',
      'trunkline_progress',
      'trunkline_recordings',
      'trunkline_registrations',
      'trunkline_reset_links',
      'trunkline_saved_views',
      'trunkline_secret_fingerprints',
      'trunkline_sessions',
      'trunkline_sign_in_changes',
      'trunkline_sign_in_codes',
      'trunkline_stripe_events',
      'trunkline_subscription_details',
      'trunkline_trace_parts',
      'trunkline_trial_reminders',
      'trunkline_unused_webhooks',
      'trunkline_upload_claims',
    ])
    for (const { name } of platformTables) {
      const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(name)}`.execute(
        database.db,
      )
      expect([name, rows[0]?.total]).toEqual([name, name === 'schema_version' ? 1 : 0])
    }
    expect(await migrate(database.db)).toEqual({ platformOrigin: 'existing', appliedMigrations: [] })
  })

  test('drops tables that no code uses any more', async () => {
    database = await createEmptyDatabase(databaseEngine)
    const { db } = database
    await migrate(db)
    const initialTables = await listTables(db)
    // The state that a version without packed calls leaves.
    for (const statement of databaseEngine === 'mysql'
      ? renderMysqlTable(trunklineCallNumbers)
      : renderSqliteTable(trunklineCallNumbers))
      await sql.raw(statement).execute(db)
    await sql`drop table trunkline_packed_calls`.execute(db)
    const appliedMigrations = ['0009-call-packs', '0011-packed-calls']
    await db.deleteFrom('trunkline_migrations').where('name', 'in', appliedMigrations).execute()
    expect(await migrate(db)).toEqual({ platformOrigin: 'created', appliedMigrations })
    expect(await listTables(db)).toEqual(initialTables)
  })

  test('accepts additional and different columns of upgraded databases', async () => {
    database = await createEmptyDatabase(databaseEngine)
    await createPlatformTables(database, databaseEngine)
    const { db } = database
    await sql`alter table predefined_sip_gateways add column send_options_ping integer not null default 0`.execute(db)
    await sql`alter table accounts add column tutorial_completion integer`.execute(db)
    await sql`create table something_else (id integer)`.execute(db)
    expect(await migrate(db)).toEqual({ platformOrigin: 'existing', appliedMigrations: trunklineMigrationNames })
  })

  test('refuses an older database and names the missing columns and the remedy', async () => {
    database = await createEmptyDatabase(databaseEngine)
    await createPlatformTables(database, databaseEngine, { version: '0.9.4' })
    await sql`alter table accounts drop column enable_debug_log`.execute(database.db)
    await sql`drop table google_custom_voices`.execute(database.db)
    const error = await migrationError()
    expect(error).toBeInstanceOf(UnsuitableDatabaseError)
    expect((error as Error).message).toBe(
      "The database has the platform's version 0.9.4 and lacks accounts.enable_debug_log, google_custom_voices. " +
        "Run the platform's own database upgrade to version 0.9.6, then start again.",
    )
    expect((await listTables(database.db)).filter((table) => table.startsWith('trunkline_'))).toEqual([])
  })

  test('refuses tables of another program and an incomplete setup, and changes neither', async () => {
    database = await createEmptyDatabase(databaseEngine)
    await sql`create table posts (id integer)`.execute(database.db)
    expect(await migrationError()).toMatchObject({
      name: 'UnsuitableDatabaseError',
      message: expect.stringContaining('already contains tables of another program (posts)') as string,
    })
    expect(await listTables(database.db)).toEqual(['posts'])
    await sql`drop table posts`.execute(database.db)

    await createPlatformTables(database, databaseEngine, { version: null })
    expect(await migrationError()).toMatchObject({
      name: 'UnsuitableDatabaseError',
      message: expect.stringContaining('schema_version is empty') as string,
    })
    expect((await listTables(database.db)).filter((table) => table.startsWith('trunkline_'))).toEqual([])
  })

  test('completes a migration that a crash interrupted', async () => {
    database = await createEmptyDatabase(databaseEngine)
    await migrate(database.db)
    // The state after a crash on an engine that cannot roll back the creation of tables.
    await sql`drop table google_custom_voices`.execute(database.db)
    await sql`drop table trunkline_sessions`.execute(database.db)
    await database.db.updateTable('trunkline_migrations').set({ applied_at: null }).execute()
    expect(await migrate(database.db)).toEqual({
      platformOrigin: 'created',
      appliedMigrations: ['0001-platform', ...trunklineMigrationNames],
    })
    expect(await listTables(database.db)).toHaveLength(68)
    expect(await seed(database.db)).toBe(true)
  })

  test('reports which migration failed and why, and does not record it as applied', async () => {
    database = await createEmptyDatabase(databaseEngine)
    await createPlatformTables(database, databaseEngine)
    const createRestrictedTable = sql`create table trunkline_migrations
      (name varchar(128) check (name <> '0002-sessions'), applied_at varchar(32))`
    await createRestrictedTable.execute(database.db)
    const error = await migrationError()
    expect(error).toBeInstanceOf(MigrationError)
    expect((error as Error).message).toContain('migration 0002-sessions failed (')
    expect(await database.db.selectFrom('trunkline_migrations').selectAll().execute()).toEqual([])
    await sql`drop table trunkline_migrations`.execute(database.db)
    expect(await migrate(database.db)).toEqual({
      platformOrigin: 'existing',
      appliedMigrations: trunklineMigrationNames,
    })
  })
})

describe.runIf(databaseEngines.includes('mysql'))('on MySQL', () => {
  let database: EmptyDatabase
  afterEach(() => database.close())

  test('creates and fills the tables once when processes start at the same time', async () => {
    database = await createEmptyDatabase('mysql')
    const processes = [database, database.openAgain(), database.openAgain(), database.openAgain()]
    const migrateAndSeed = async ({ db }: { db: Kysely<Tables> }) => [await migrate(db), await seed(db)] as const
    const results = await Promise.all(processes.map(migrateAndSeed))
    expect(results.flatMap(([{ appliedMigrations }]) => appliedMigrations).sort()).toEqual([
      '0001-platform',
      ...trunklineMigrationNames,
    ])
    expect(results.filter(([, isSeeded]) => isSeeded)).toHaveLength(1)
    expect(await database.db.selectFrom('permissions').selectAll().execute()).toHaveLength(3)
    await Promise.all(processes.slice(1).map((process) => process.close()))
  })

  test.each(['latin1_swedish_ci', 'utf8mb4_general_ci'])(
    'joins our SIDs with those of a %s database',
    async (collation) => {
      database = await createEmptyDatabase('mysql')
      await createPlatformTables(database, 'mysql', { collation })
      await migrate(database.db)
      const joinedRows = await database.db
        .selectFrom('trunkline_sessions')
        .innerJoin('users', 'users.user_sid', 'trunkline_sessions.user_sid')
        .select('users.name')
        .execute()
      expect(joinedRows).toEqual([])
    },
  )

  test('joins our SIDs after the platform’s tables were restored with another collation', async () => {
    database = await createEmptyDatabase('mysql')
    await migrate(database.db)
    await database.db.connection().execute(async (connection) => {
      await sql`set session foreign_key_checks = 0`.execute(connection)
      for (const { name } of platformTables) await sql`drop table ${sql.table(name)}`.execute(connection)
      for (const statement of platformTables.flatMap((table) =>
        renderMysqlTable(table, { sidCollation: 'utf8mb4_general_ci' }),
      ))
        await sql.raw(statement).execute(connection)
      await sql`set session foreign_key_checks = 1`.execute(connection)
    })
    const joinSessions = () =>
      database.db
        .selectFrom('trunkline_sessions')
        .innerJoin('users', 'users.user_sid', 'trunkline_sessions.user_sid')
        .select('users.name')
        .execute()
    await expect(joinSessions()).rejects.toThrow('Illegal mix of collations')
    expect(await migrate(database.db)).toEqual({ platformOrigin: 'created', appliedMigrations: [] })
    expect(await joinSessions()).toEqual([])
    const sidCollations = await sql<{ collation: string }>`select distinct collation_name as collation
      from information_schema.columns where table_schema = database() and table_name like 'trunkline%'
      and column_name = 'user_sid'`.execute(database.db)
    expect(sidCollations.rows).toEqual([{ collation: 'utf8mb4_general_ci' }])
  })

  test('refuses platform tables whose SIDs cannot be joined, and names them', async () => {
    database = await createEmptyDatabase('mysql')
    await migrate(database.db)
    // Foreign keys require equal collations, so a mixture exists only in a database without them.
    await database.db.connection().execute(async (connection) => {
      await sql`set session foreign_key_checks = 0`.execute(connection)
      for (const { name } of platformTables) await sql`drop table ${sql.table(name)}`.execute(connection)
      for (const table of platformTables) {
        const collation = table.name === 'users' ? 'utf8mb4_general_ci' : undefined
        for (const statement of renderMysqlTable(table, { sidCollation: collation }))
          await sql.raw(statement.replace(/,\n {2}FOREIGN KEY.*?(?=,?\n)/g, '')).execute(connection)
      }
      await sql`set session foreign_key_checks = 1`.execute(connection)
    })
    await database.db.insertInto('schema_version').values({ version: '0.9.6' }).execute()
    await expect(migrate(database.db)).rejects.toMatchObject({
      name: 'UnsuitableDatabaseError',
      message:
        'The database cannot join users.account_sid (utf8mb4_general_ci) with accounts.account_sid ' +
        '(utf8mb4_unicode_ci), because their collations differ. ' +
        "Convert all of the platform's tables to the same collation, then start again.",
    })
  })
})

import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { emptyDatabase, engines } from '../../test/engines'
import type { EmptyDatabase } from '../../test/engines'
import type { Engine } from './database'
import { MigrationError, migrate } from './migrate'
import { platformTables } from './platform-tables'
import { trunklineCallNumbers } from './migrations/0007-call-numbers'
import { mysqlTable } from './render-mysql'
import { sqliteTable } from './render-sqlite'
import type { Tables } from './schema'
import { seed } from './seed'
import { UnsuitableDatabaseError } from './platform-check'

/** The migrations that every database gets. */
const ours = [
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
]

/** The platform's tables after the platform's own setup: with a version row, without our tables. */
const asThePlatformDoes = async (
  { db }: EmptyDatabase,
  engine: Engine,
  { version = '0.9.6', text = 'utf8mb4_unicode_ci' }: { version?: string | null; text?: string } = {},
) => {
  const options = `SET=${text.split('_')[0]} COLLATE=${text}`
  await db.connection().execute(async (connection) => {
    if (engine === 'mysql') await sql`set foreign_key_checks = 0`.execute(connection)
    for (const table of platformTables) {
      for (const statement of engine === 'mysql' ? mysqlTable(table) : sqliteTable(table)) {
        await sql.raw(statement.replace(/SET=utf8mb4 COLLATE=\w+/, options)).execute(connection)
      }
    }
    if (engine === 'mysql') await sql`set foreign_key_checks = 1`.execute(connection)
  })
  if (version) await db.insertInto('schema_version').values({ version }).execute()
}

const tablesOf = async (db: Kysely<Tables>): Promise<string[]> =>
  (await db.introspection.getTables()).map(({ name }) => name).sort()

describe.each(engines)('migrate on %s', (engine) => {
  let database: EmptyDatabase
  afterEach(() => database.close())

  const refusal = async (): Promise<unknown> =>
    migrate(database.db).then(
      () => undefined,
      (error: unknown) => error,
    )

  test('creates all tables in an empty database, once', async () => {
    database = await emptyDatabase(engine)
    const first = await migrate(database.db)
    expect(first).toEqual({ origin: 'created', applied: ['0001-platform', ...ours] })
    const tables = await tablesOf(database.db)
    expect(tables).toHaveLength(55)
    expect(await migrate(database.db)).toEqual({ origin: 'created', applied: [] })
    expect(await seed(database.db)).toBe(true)
    expect(await migrate(database.db)).toEqual({ origin: 'created', applied: [] })
    expect(await tablesOf(database.db)).toEqual(tables)
    const rows = await database.db.selectFrom('trunkline_migrations').selectAll().orderBy('name').execute()
    expect(rows.map(({ name }) => name)).toEqual(['0001-platform', ...ours])
    for (const { applied_at } of rows) expect(applied_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  test("adds only our tables and no rows to the platform's database", async () => {
    database = await emptyDatabase(engine)
    await asThePlatformDoes(database, engine)
    const initialValue = await tablesOf(database.db)
    expect(await migrate(database.db)).toEqual({ origin: 'existing', applied: ours })
    expect(await seed(database.db)).toBe(false)
    const added = (await tablesOf(database.db)).filter((table) => !initialValue.includes(table))
    expect(added).toEqual([
      'trunkline_alerts',
      'trunkline_api_key_names',
      'trunkline_calls',
      'trunkline_capture_parts',
      'trunkline_email_changes',
      'trunkline_hour_counts',
      'trunkline_login_failures',
      'trunkline_migrations',
      'trunkline_packed_calls',
      'trunkline_progress',
      'trunkline_recordings',
      'trunkline_reset_links',
      'trunkline_secret_fingerprints',
      'trunkline_sessions',
      'trunkline_trace_parts',
      'trunkline_unused_webhooks',
      'trunkline_upload_claims',
    ])
    for (const { name } of platformTables) {
      const { rows } = await sql<{ many: number }>`select count(*) as many from ${sql.table(name)}`.execute(database.db)
      expect([name, rows[0]?.many]).toEqual([name, name === 'schema_version' ? 1 : 0])
    }
    expect(await migrate(database.db)).toEqual({ origin: 'existing', applied: [] })
  })

  test('drops tables that no code uses any more', async () => {
    database = await emptyDatabase(engine)
    const { db } = database
    await migrate(db)
    const initialValue = await tablesOf(db)
    // As left by a version without packs.
    for (const statement of engine === 'mysql' ? mysqlTable(trunklineCallNumbers) : sqliteTable(trunklineCallNumbers))
      await sql.raw(statement).execute(db)
    await sql`drop table trunkline_packed_calls`.execute(db)
    const applied = ['0009-call-packs', '0011-packed-calls']
    await db.deleteFrom('trunkline_migrations').where('name', 'in', applied).execute()
    expect(await migrate(db)).toEqual({ origin: 'created', applied })
    expect(await tablesOf(db)).toEqual(initialValue)
  })

  test('accepts additional and different columns of upgraded databases', async () => {
    database = await emptyDatabase(engine)
    await asThePlatformDoes(database, engine)
    const { db } = database
    await sql`alter table predefined_sip_gateways add column send_options_ping integer not null default 0`.execute(db)
    await sql`alter table accounts add column tutorial_completion integer`.execute(db)
    await sql`create table something_else (id integer)`.execute(db)
    expect(await migrate(db)).toEqual({ origin: 'existing', applied: ours })
  })

  test('refuses an older database and names the missing columns and the remedy', async () => {
    database = await emptyDatabase(engine)
    await asThePlatformDoes(database, engine, { version: '0.9.4' })
    await sql`alter table accounts drop column enable_debug_log`.execute(database.db)
    await sql`drop table google_custom_voices`.execute(database.db)
    const error = await refusal()
    expect(error).toBeInstanceOf(UnsuitableDatabaseError)
    expect((error as Error).message).toBe(
      "The database has the platform's version 0.9.4 and lacks accounts.enable_debug_log, google_custom_voices. " +
        "Run the platform's own database upgrade to version 0.9.6, then start again.",
    )
    expect((await tablesOf(database.db)).filter((table) => table.startsWith('trunkline_'))).toEqual([])
  })

  test('refuses tables of another program and an incomplete setup, and changes neither', async () => {
    database = await emptyDatabase(engine)
    await sql`create table posts (id integer)`.execute(database.db)
    expect(await refusal()).toMatchObject({
      name: 'UnsuitableDatabaseError',
      message: expect.stringContaining('already contains tables of another program (posts)') as string,
    })
    expect(await tablesOf(database.db)).toEqual(['posts'])
    await sql`drop table posts`.execute(database.db)

    await asThePlatformDoes(database, engine, { version: null })
    expect(await refusal()).toMatchObject({
      name: 'UnsuitableDatabaseError',
      message: expect.stringContaining('schema_version is empty') as string,
    })
  })

  test('completes a migration that a crash interrupted', async () => {
    database = await emptyDatabase(engine)
    await migrate(database.db)
    // The state after a crash on an engine that cannot roll back the creation of tables.
    await sql`drop table google_custom_voices`.execute(database.db)
    await sql`drop table trunkline_sessions`.execute(database.db)
    await database.db.updateTable('trunkline_migrations').set({ applied_at: null }).execute()
    expect(await migrate(database.db)).toEqual({
      origin: 'created',
      applied: ['0001-platform', ...ours],
    })
    expect(await tablesOf(database.db)).toHaveLength(55)
    expect(await seed(database.db)).toBe(true)
  })

  test('reports which migration failed and why, and does not record it as applied', async () => {
    database = await emptyDatabase(engine)
    await asThePlatformDoes(database, engine)
    const refusing = sql`create table trunkline_migrations
      (name varchar(128) check (name <> '0002-sessions'), applied_at varchar(32))`
    await refusing.execute(database.db)
    const error = await refusal()
    expect(error).toBeInstanceOf(MigrationError)
    expect((error as Error).message).toContain('migration 0002-sessions failed (')
    expect(await database.db.selectFrom('trunkline_migrations').selectAll().execute()).toEqual([])
    await sql`drop table trunkline_migrations`.execute(database.db)
    expect(await migrate(database.db)).toEqual({ origin: 'existing', applied: ours })
  })
})

describe.runIf(engines.includes('mysql'))('on MySQL', () => {
  let database: EmptyDatabase
  afterEach(() => database.close())

  test('creates and fills the tables once when processes start at the same time', async () => {
    database = await emptyDatabase('mysql')
    const processes = [database, database.openAgain(), database.openAgain(), database.openAgain()]
    const start = async ({ db }: { db: Kysely<Tables> }) => [await migrate(db), await seed(db)] as const
    const responses = await Promise.all(processes.map(start))
    expect(responses.flatMap(([{ applied }]) => applied).sort()).toEqual(['0001-platform', ...ours])
    expect(responses.filter(([, seeded]) => seeded)).toHaveLength(1)
    expect(await database.db.selectFrom('permissions').selectAll().execute()).toHaveLength(3)
    await Promise.all(processes.slice(1).map((process) => process.close()))
  })

  test.each(['latin1_swedish_ci', 'utf8mb4_general_ci'])('joins our SIDs with those of a %s database', async (text) => {
    database = await emptyDatabase('mysql')
    await asThePlatformDoes(database, 'mysql', { text })
    await migrate(database.db)
    const joined = await database.db
      .selectFrom('trunkline_sessions')
      .innerJoin('users', 'users.user_sid', 'trunkline_sessions.user_sid')
      .select('users.name')
      .execute()
    expect(joined).toEqual([])
  })

  test('joins our SIDs after the platform’s tables were restored with another collation', async () => {
    database = await emptyDatabase('mysql')
    await migrate(database.db)
    await database.db.connection().execute(async (connection) => {
      await sql`set session foreign_key_checks = 0`.execute(connection)
      for (const { name } of platformTables) await sql`drop table ${sql.table(name)}`.execute(connection)
      for (const statement of platformTables.flatMap((table) =>
        mysqlTable(table, { sidCollation: 'utf8mb4_general_ci' }),
      ))
        await sql.raw(statement).execute(connection)
      await sql`set session foreign_key_checks = 1`.execute(connection)
    })
    const join = () =>
      database.db
        .selectFrom('trunkline_sessions')
        .innerJoin('users', 'users.user_sid', 'trunkline_sessions.user_sid')
        .select('users.name')
        .execute()
    await expect(join()).rejects.toThrow('Illegal mix of collations')
    expect(await migrate(database.db)).toEqual({ origin: 'created', applied: [] })
    expect(await join()).toEqual([])
    const sids = await sql<{ collation: string }>`select distinct collation_name as collation
      from information_schema.columns where table_schema = database() and table_name like 'trunkline%'
      and column_name = 'user_sid'`.execute(database.db)
    expect(sids.rows).toEqual([{ collation: 'utf8mb4_general_ci' }])
  })
})

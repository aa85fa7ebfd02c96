import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEmptyDatabase, databaseEngines } from '../../test/databases'
import type { EmptyDatabase } from '../../test/databases'
import { uuid } from '../secrets/ids'
import { engineOf, openDatabase } from './database'
import { classifyDatabaseError } from './errors'
import { migrate } from './migrate'
import { seed } from './seed'
import { defaultAccountSid } from './seed-data'

describe('a SQLite file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('is created at the configured path, readable only by its owner, with durable writes', async () => {
    const path = join(folder, 'new', 'folder', 'data.db')
    const database = openDatabase(`file:${path}`)
    expect(database.engine).toBe('sqlite')
    expect(engineOf(database.db)).toBe('sqlite')
    const pragma = async (name: string) => {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.raw(`pragma_${name}`)}`.execute(
        database.db,
      )
      return Object.values(rows[0] ?? {})[0]
    }
    expect(await pragma('journal_mode')).toBe('wal')
    expect(await pragma('synchronous')).toBe(2)
    expect(await pragma('foreign_keys')).toBe(1)
    const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(database.db)
    expect(rows[0]?.timeout).toBeGreaterThanOrEqual(5_000)
    expect(statSync(path).mode & 0o077).toBe(0)
    await database.close()
  })

  test('keeps committed writes when the process ends without closing it', async () => {
    const path = join(folder, 'data.db')
    const crashedDatabase = openDatabase(path)
    await migrate(crashedDatabase.db)
    await seed(crashedDatabase.db)
    // The files as a crash leaves them: not flushed, without a WAL checkpoint.
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, join(folder, `copy.db${suffix}`))
    const recoveredDatabase = openDatabase(`file:${join(folder, 'copy.db')}`)
    const { rows } = await sql<{
      result: string
    }>`select integrity_check as result from pragma_integrity_check`.execute(recoveredDatabase.db)
    expect(rows).toEqual([{ result: 'ok' }])
    expect(await recoveredDatabase.db.selectFrom('schema_version').selectAll().execute()).toEqual([
      { version: '0.9.6' },
    ])
    await crashedDatabase.close()
    await recoveredDatabase.close()
  })

  test('reports a storage error when it is not writable', async () => {
    const database = openDatabase(join(folder, 'data.db'))
    await migrate(database.db)
    await sql`pragma query_only = 1`.execute(database.db)
    const error: unknown = await seed(database.db).catch((reason: unknown) => reason)
    expect(classifyDatabaseError(error)).toMatchObject({ kind: 'storage' })
    await database.close()
  })

  test('reports a storage error on a full disk, and works again once there is space', async () => {
    const database = openDatabase(join(folder, 'data.db'))
    await migrate(database.db)
    await seed(database.db)
    const application = { application_sid: uuid(), name: 'large', account_sid: defaultAccountSid }
    await database.db.insertInto('applications').values(application).execute()
    // Limits the file to its current size, without free pages.
    await sql`vacuum`.execute(database.db)
    await sql`pragma max_page_count = 1`.execute(database.db)
    const app_json = 'x'.repeat(60_000)
    const write = () => database.db.updateTable('applications').set({ app_json }).execute()
    const error: unknown = await write().catch((reason: unknown) => reason)
    expect(classifyDatabaseError(error)).toMatchObject({ kind: 'storage' })
    await sql`pragma max_page_count = 1000000`.execute(database.db)
    await write()
    const storedApplications = await database.db.selectFrom('applications').select(['name', 'app_json']).execute()
    expect(storedApplications).toEqual([{ name: 'large', app_json }])
    await database.close()
  })

  test('is unavailable while another process writes to it', async () => {
    const [writingDatabase, waitingDatabase] = [
      openDatabase(join(folder, 'data.db')),
      openDatabase(join(folder, 'data.db')),
    ]
    await migrate(writingDatabase.db)
    await sql`pragma busy_timeout = 1`.execute(waitingDatabase.db)
    await writingDatabase.db.connection().execute(async (connection) => {
      await sql`begin immediate`.execute(connection)
      const error: unknown = await seed(waitingDatabase.db).catch((reason: unknown) => reason)
      expect(classifyDatabaseError(error)).toMatchObject({ kind: 'unavailable' })
      await sql`rollback`.execute(connection)
    })
    await Promise.all([writingDatabase.close(), waitingDatabase.close()])
  })
})

test('refuses a URL of an unsupported database without showing its password', () => {
  const openPostgres = () => openDatabase('postgres://me:s3cret@host/db')
  expect(openPostgres).toThrow(/^A database URL must start with file: or mysql:\/\/, not with postgres:\/\/$/)
  expect(() => openDatabase('mysql://me:s3cret@host')).toThrow(
    /^A MySQL URL must end with the database name: mysql:\/\/user:password@host:3306\/name$/,
  )
})

test('reports a MySQL server that does not respond as unavailable', async () => {
  const database = openDatabase('mysql://nobody@127.0.0.1:1/none')
  const error: unknown = await migrate(database.db).catch((reason: unknown) => reason)
  expect(classifyDatabaseError(error)).toEqual({
    kind: 'unavailable',
    message: 'The database is not available at the moment',
  })
  await database.close()
})

test.each([
  ['too many threads', 1135],
  ['a statement over the time limit of MariaDB', 1969],
  ['a statement over the time limit of MySQL', 3024],
  ['a session that was killed', 3169],
  ['a connection that was idle for too long', 4031],
])('classifies %s as unavailable', (_, errno) => {
  const error = Object.assign(new Error('x'), { errno, code: 'ER_X', sqlState: 'HY000', fatal: false })
  expect(classifyDatabaseError(error)).toMatchObject({ kind: 'unavailable' })
})

test('does not classify errors of other sockets as database errors', () => {
  expect(classifyDatabaseError(new Error('x'))).toBeUndefined()
  expect(classifyDatabaseError(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toBeUndefined()
  expect(classifyDatabaseError('x')).toBeUndefined()
})

describe.runIf(databaseEngines.includes('mysql'))('a MySQL connection', () => {
  let database: EmptyDatabase
  beforeEach(async () => {
    database = await createEmptyDatabase('mysql')
  })
  afterEach(() => database.close())

  test('uses UTC, utf8mb4 and strict mode regardless of the settings of the server', async () => {
    const { db, engine } = database
    expect([engine, engineOf(db)]).toEqual(['mysql', 'mysql'])
    const { rows } = await sql<Record<string, unknown>>`
      select @@session.time_zone as zone, @@session.sql_mode as mode, @@session.character_set_connection as text`.execute(
      db,
    )
    expect(rows).toEqual([{ zone: '+00:00', mode: 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION', text: 'utf8mb4' }])
  })

  test('does not show the values of a failed statement in its error', async () => {
    const error: unknown = await sql`select nothing from nowhere where token = ${'s3cret'}`
      .execute(database.db)
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(inspect(error, { depth: 9 })).not.toContain('s3cret')
  })

  test('is reported as unavailable when the server kills it, and the pool opens a new one', async () => {
    const { db } = database
    const connectionError: unknown = await db
      .connection()
      .execute((connection) => sql`kill connection_id()`.execute(connection))
      .catch((reason: unknown) => reason)
    expect(classifyDatabaseError(connectionError)).toMatchObject({ kind: 'unavailable' })
    const selectOne = () => sql<{ result: number }>`select 1 as result`.execute(db).then(({ rows }) => rows[0]?.result)
    await expect.poll(() => selectOne().catch(() => 0)).toBe(1)
  })
})

import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createEmptyDatabase } from '../../test/databases'
import { startOtlpCollector } from '../../test/doubles/otlp-collector'
import { openDatabase, type Database } from '../db/database'
import { migrate } from '../db/migrate'
import { findChangedSecrets } from '../db/secret-fingerprints'
import { seed } from '../db/seed'
import { createSecretEncryption } from '../secrets/encryption'
import { formatReport, hasFailed, type CheckResult } from './checks'
import { judgeSkew } from './database-checks'
import { examine } from './run'
import { checkBuckets, judgeSpace, judgeWriteError } from './store-checks'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-doctor-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const secrets = { JWT_SECRET: 'a long and random secret', ENCRYPTION_SECRET: 'another long and random secret' }
const examineWith = (environment: Record<string, string> = {}) =>
  examine({ DATA_DIR: folder, ...secrets, ...environment })

/** Changes the database as a program with access to it can. */
const prepareDatabase = async (change: (database: Database) => Promise<unknown> = () => Promise.resolve()) => {
  const database = openDatabase(join(folder, 'trunkline.sqlite'))
  try {
    await migrate(database.db)
    await seed(database.db)
    await findChangedSecrets(database, { ...secrets })
    await change(database)
  } finally {
    await database.close()
  }
}

const findingsOf = (results: CheckResult[], name: string) => results.find((result) => result.name === name)?.findings
const failedMessages = (results: CheckResult[]) =>
  results.flatMap(({ findings }) => findings.filter(({ status }) => status === 'failed').map(({ summary }) => summary))
/** A port on which nothing listens. */
const closedPort = 1

describe('doctor', () => {
  it('finds nothing wrong before the first start, and creates nothing', async () => {
    const dataDir = join(folder, 'none')
    const results = await examine({ DATA_DIR: dataDir })
    expect(hasFailed(results)).toBe(false)
    expect(findingsOf(results, 'Secrets')).toMatchObject([{ status: 'warning' }, { status: 'warning' }])
    expect(existsSync(dataDir)).toBe(false)
  })

  it('finds nothing wrong with an installation that works', async () => {
    await prepareDatabase()
    const results = await examineWith()
    expect(results.flatMap(({ findings }) => findings.filter(({ status }) => status !== 'passed'))).toEqual([])
    expect(results.map(({ name }) => name)).toEqual([
      ...['Settings', 'Database', 'Tables', 'Privileges', 'Clock', 'Secrets', 'Data folder', 'Buckets'],
    ])
  })

  it('explains a full and a read-only disk', () => {
    const errorWith = (code: string) => Object.assign(new Error(`${code}: write`), { code })
    expect(judgeWriteError(errorWith('ENOSPC'), '/data')).toMatchObject({
      status: 'failed',
      summary: '/data cannot be written to: its disk is full.',
      repair: expect.stringContaining('enlarge the disk'),
    })
    expect(judgeWriteError(errorWith('EROFS'), '/data')).toMatchObject({
      status: 'failed',
      summary: '/data cannot be written to: its file system is read-only.',
      repair: expect.stringContaining('repair the file system'),
    })
    expect(judgeWriteError(errorWith('EACCES'), '/data').repair).toContain('writable for the user')
    expect(judgeSpace(3 * 1024 ** 2, 40 * 1024 ** 2, '/data').summary).toBe('3 MiB of 40 MiB are free in /data.')
  })

  it('checks the disk of an SQLite file outside of DATA_DIR', async () => {
    const databaseFolder = join(folder, 'elsewhere')
    mkdirSync(databaseFolder)
    const results = await examineWith({ DATABASE_URL: join(databaseFolder, 'trunkline.sqlite') })
    expect(findingsOf(results, 'Data folder')?.map(({ summary }) => summary)).toEqual([
      expect.stringContaining(`DATA_DIR ${folder} is writable`),
      expect.stringContaining(folder),
      expect.stringContaining(`The folder of the database ${databaseFolder} is writable`),
      expect.stringContaining(databaseFolder),
    ])
  })

  it('names an invalid setting', async () => {
    expect(failedMessages(await examineWith({ PORT: 'many' }))).toEqual(['PORT must be a whole number.'])
  })

  it('reports credentials that were stored with another secret', async () => {
    await prepareDatabase(({ db }) =>
      db
        .updateTable('accounts')
        .set({ bucket_credential: createSecretEncryption('the old one').encrypt('{"vendor":"aws_s3"}') })
        .execute(),
    )
    const results = await examineWith()
    expect(failedMessages(results)).toEqual([
      '1 of 1 stored credentials of speech vendors and buckets cannot be decrypted.',
    ])
    expect(hasFailed(results)).toBe(true)
  })

  it('reports secrets that are easy to guess, that others can read, and that have changed', async () => {
    await prepareDatabase()
    const file = join(folder, 'encryption-secret')
    writeFileSync(file, `${secrets.ENCRYPTION_SECRET}\n`)
    chmodSync(file, 0o644)
    const results = await examine({ DATA_DIR: folder, JWT_SECRET: 'changeme123', ENCRYPTION_SECRET: '' })
    expect(failedMessages(results)).toEqual([
      'JWT_SECRET is easy to guess.',
      // An installation that sets only JWT_SECRET encrypts with it.
      'ENCRYPTION_SECRET is easy to guess.',
    ])
    expect(findingsOf(results, 'Secrets')).toContainEqual(
      expect.objectContaining({ status: 'warning', summary: expect.stringContaining('JWT_SECRET has changed') }),
    )
    const generated = await examine({ DATA_DIR: folder, ENCRYPTION_SECRET: '' })
    expect(failedMessages(generated)).toEqual([`Other users of this machine can read ${file}.`])
  })

  it('reports tables of a newer version, and tables that lack changes of this one', async () => {
    await prepareDatabase(async ({ db }) => {
      await db.insertInto('trunkline_migrations').values({ name: '9999-later', applied_at: null }).execute()
      await db.deleteFrom('trunkline_migrations').where('name', '=', '0022-saved-views').execute()
    })
    const findings = findingsOf(await examineWith(), 'Tables')
    expect(findings).toMatchObject([
      { status: 'failed', summary: 'A newer version has changed the database (9999-later).' },
      { status: 'warning', summary: '1 changes of the tables are pending, up to 0022-saved-views.' },
    ])
  })

  it('reports the database of another program, and a file that is none', async () => {
    const other = openDatabase(join(folder, 'other.sqlite'))
    await sql`create table recipes (name text)`.execute(other.db)
    await other.close()
    const file = join(folder, 'text.sqlite')
    writeFileSync(file, 'This is not a database. '.repeat(200))
    expect(failedMessages(await examineWith({ DATABASE_URL: join(folder, 'other.sqlite') }))).toEqual([
      expect.stringContaining('already contains tables of another program'),
    ])
    expect(failedMessages(await examineWith({ DATABASE_URL: file }))).toEqual([
      `The database ${file} is not a SQLite database, or is damaged.`,
    ])
  })

  it('reports servers that do not answer, without their passwords', async () => {
    const results = await examineWith({
      DATABASE_URL: `mysql://root:hidden@127.0.0.1:${closedPort}/trunkline`,
      REDIS_URL: `redis://:hidden@127.0.0.1:${closedPort}`,
      INFLUX_URL: `http://root:hidden@127.0.0.1:${closedPort}`,
      JAEGER_URL: `http://127.0.0.1:${closedPort}`,
      HOMER_BASE_URL: `http://127.0.0.1:${closedPort}`,
      HOMER_USERNAME: 'homer',
      HOMER_PASSWORD: 'hidden',
      SMTP_URL: `smtp://user:hidden@127.0.0.1:${closedPort}`,
      MAIL_FROM: 'no-reply@example.com',
    })
    const failures = results.filter(({ findings }) => findings.some(({ status }) => status === 'failed'))
    expect(failures.map(({ name }) => name)).toEqual([
      ...['Database', 'Redis', 'InfluxDB', 'Jaeger', 'Homer', 'Mail server'],
    ])
    const report = formatReport(results)
    expect(report).toContain('→ Check DATABASE_URL, and that the database server is running.')
    expect(report).toMatch(/✗ Redis .*\(connect ECONNREFUSED 127\.0\.0\.1:1\)/)
    expect(report).toContain('6 failed')
    expect(report).not.toContain('hidden')
  })

  it('reports a ClickHouse that does not answer, without its password', async () => {
    const results = await examineWith({ CLICKHOUSE_URL: `http://default:hidden@127.0.0.1:${closedPort}` })
    expect(failedMessages(results)).toEqual([
      'The call history database (ClickHouse) does not respond. Try again later.',
    ])
    expect(formatReport(results)).toContain(
      '→ Check CLICKHOUSE_URL, and that a supported version of ClickHouse is running.',
    )
    expect(formatReport(results)).not.toContain('hidden')
  })

  it('checks that the OpenTelemetry collector accepts the credential, and sends no span', async () => {
    const collector = await startOtlpCollector()
    onTestFinished(() => collector.stop())
    const examineCollector = async () =>
      findingsOf(
        await examineWith({
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token',
        }),
        'OpenTelemetry collector',
      )
    expect(await examineCollector()).toEqual([
      { status: 'passed', summary: 'The OpenTelemetry collector accepts spans.' },
    ])
    expect(collector.spans).toEqual([])
    expect(collector.requestHeaders[0]?.authorization).toBe('Bearer token')
    collector.behave(401)
    expect(await examineCollector()).toMatchObject([
      {
        status: 'failed',
        summary: 'The OpenTelemetry collector refuses spans (status 401).',
        repair: expect.stringContaining('OTEL_EXPORTER_OTLP_HEADERS'),
      },
    ])
  })

  it('reports an OpenTelemetry collector that does not answer, without its password', async () => {
    const collector = await startOtlpCollector()
    const { host } = new URL(collector.url)
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:hidden@${host}` }
    const accepted = await examineWith(settings)
    expect(findingsOf(accepted, 'OpenTelemetry collector')).toMatchObject([{ status: 'passed' }])
    expect(collector.requestHeaders[0]?.authorization).toBe(`Basic ${btoa('user:hidden')}`)
    await collector.stop()
    const results = await examineWith(settings)
    // The connection of the first request may still be known, so the cause differs.
    expect(failedMessages(results)).toEqual([
      expect.stringContaining(`The OpenTelemetry collector http://${host} does not answer (`),
    ])
    expect(formatReport(results)).toContain('→ Check OTEL_EXPORTER_OTLP_ENDPOINT, and that the collector is running.')
    expect(formatReport(results)).not.toContain('hidden')
  })

  it('reports an API that does not answer, if the server serves only the console', async () => {
    const results = await examine({ API_BASE_URL: `http://127.0.0.1:${closedPort}/v1` })
    expect(failedMessages(results)).toEqual([`http://127.0.0.1:${closedPort}/v1 does not answer.`])
  })

  it('names the account whose bucket cannot be used', async () => {
    const findings = await checkBuckets([{ account_sid: 'acme', credential: { vendor: 'aws_s3' } }], () =>
      Promise.reject(new Error('The bucket does not exist.')),
    )
    expect(findings).toMatchObject([{ status: 'failed', summary: 'Account acme: The bucket does not exist.' }])
  })

  it.each([
    [4, 'passed'],
    [-6, 'warning'],
    [61, 'failed'],
  ])('judges clocks that differ by %d seconds as %s', (seconds, status) => {
    expect(judgeSkew(seconds).status).toBe(status)
  })

  it.each([
    [1024 ** 2, 'failed'],
    [1024 ** 3, 'warning'],
    [50 * 1024 ** 3, 'passed'],
  ])('judges %d free bytes of 100 GiB as %s', (freeBytes, status) => {
    expect(judgeSpace(freeBytes, 100 * 1024 ** 3, '/data').status).toBe(status)
  })
})

const mysqlUrl = process.env.TEST_MYSQL_URL
describe.skipIf(!mysqlUrl)('doctor on MySQL', () => {
  /** Runs work with the URL of a new database that is ready for use. */
  const withDatabase = async (work: (url: string, database: Database) => Promise<void>) => {
    const database = await createEmptyDatabase('mysql')
    try {
      await migrate(database.db)
      await seed(database.db)
      const { rows } = await sql<{ name: string }>`select database() as name`.execute(database.db)
      await work(new URL(`/${rows[0]!.name}`, mysqlUrl).href, database)
    } finally {
      await database.close()
    }
  }

  it('finds nothing wrong with a database that works, and leaves no table behind', async () => {
    await withDatabase(async (url, { db }) => {
      const results = await examineWith({ DATABASE_URL: url })
      expect(failedMessages(results)).toEqual([])
      expect(findingsOf(results, 'Clock')).toMatchObject([{ status: 'passed' }])
      const { rows } = await sql`show tables like 'trunkline\\_doctor%'`.execute(db)
      expect(rows).toEqual([])
    })
  })

  it('reports tables with another collation than the platform’s', async () => {
    await withDatabase(async (url, { db }) => {
      await sql`alter table trunkline_sessions modify column user_sid char(36)
        character set utf8mb4 collate utf8mb4_general_ci not null`.execute(db)
      expect(failedMessages(await examineWith({ DATABASE_URL: url }))).toEqual([
        expect.stringContaining('The collation of trunkline_sessions differs'),
      ])
    })
  })

  it('reports missing privileges', async () => {
    await withDatabase(async (url, { db }) => {
      const name = new URL(url).pathname.slice(1)
      const user = `${name.slice(-16)}_r`
      await sql.raw(`create user '${user}'@'%' identified by 'secret'`).execute(db)
      await sql.raw(`grant select, create, drop on ${name}.* to '${user}'@'%'`).execute(db)
      try {
        const limitedUrl = Object.assign(new URL(url), { username: user, password: 'secret' }).href
        expect(failedMessages(await examineWith({ DATABASE_URL: limitedUrl }))).toEqual([
          expect.stringContaining('lacks INSERT, UPDATE, DELETE, ALTER, INDEX ('),
        ])
      } finally {
        await sql.raw(`drop user '${user}'@'%'`).execute(db)
      }
    })
  })
})

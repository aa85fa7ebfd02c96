import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Config } from '../config/config'
import { openConfiguredDatabase } from '../composition/configured-database'
import { engineOfUrl, sqlitePathOfUrl, type Database } from '../db/database'
import { errorTextOf, explainDatabaseError, nameDatabase } from '../db/explain-error'
import { inspectDatabase } from '../db/migrate'
import { findVersionProblem, UnsuitableDatabaseError } from '../db/platform-check'
import type { CheckConfig } from './check-config'
import { failed, getWorstStatus, passed, warning, type Check, type Finding } from './checks'
import { accessDenied, readAccess } from './file-access'

/** Beyond these differences of the clocks, sessions and locks expire at the wrong time. */
const maxSkewSeconds = { warning: 5, failed: 60 }

type SqlDatabase = Pick<Database, 'db' | 'engine'>

const describeVersion = async ({ db, engine }: SqlDatabase): Promise<string> => {
  const query = engine === 'mysql' ? sql`select version() as version` : sql`select sqlite_version() as version`
  const { rows } = await query.execute(db)
  const { version } = rows[0] as { version: string }
  return engine === 'mysql' ? `version ${version}` : `SQLite ${version}`
}

const explainFailure = (error: unknown, url: string): Finding => {
  const [message = '', ...repair] = (explainDatabaseError(error, url) ?? errorTextOf(error)).split(/(?<=\.) (?=[A-Z])/)
  return failed(message, repair.join(' ') || 'Check DATABASE_URL and DATABASE_CA_FILE.')
}

/** Sends a query. */
export const checkConnection = async (database: SqlDatabase, url: string): Promise<Finding[]> => {
  try {
    return [passed(`${nameDatabase(url)} answers (${await describeVersion(database)}).`)]
  } catch (error) {
    return [explainFailure(error, url)]
  }
}

/** Opens the database and sends a query. Undefined if the first start has yet to create it. */
export const openForChecks = async (
  config: Config,
): Promise<{ database: Database | undefined; findings: Finding[] }> => {
  const { url } = config.database
  const access = engineOfUrl(url) === 'sqlite' ? readAccess(sqlitePathOfUrl(url)) : 'permitted'
  if (access === 'denied') return { database: undefined, findings: [accessDenied(sqlitePathOfUrl(url))] }
  if (access === 'missing')
    return {
      database: undefined,
      findings: [
        warning(
          `${nameDatabase(url)} does not exist yet.`,
          'Start the server, which creates it. If you expected data, check DATA_DIR and DATABASE_URL.',
        ),
      ],
    }
  let database: Database
  try {
    database = openConfiguredDatabase(config)
  } catch (error) {
    return { database: undefined, findings: [explainFailure(error, url)] }
  }
  const findings = await checkConnection(database, url)
  if (getWorstStatus(findings) === 'passed') return { database, findings }
  await database.close().catch(() => undefined)
  return { database: undefined, findings }
}

/** The tables, their collations, and the migrations that are applied. */
export const checkSchema = async ({ db }: SqlDatabase): Promise<Finding[]> => {
  let inspection
  try {
    inspection = await inspectDatabase(db)
  } catch (error) {
    if (!(error instanceof UnsuitableDatabaseError)) throw error
    return [failed(error.message, 'Until then, requests fail and the server does not start.')]
  }
  const { isEmpty, pendingMigrations, unknownMigrations, mismatchedTables } = inspection
  if (isEmpty) return [warning('The database is empty.', 'Start the server, which creates the tables.')]
  const versionProblem = await findVersionProblem(db)
  const findings: Finding[] = versionProblem ? [warning(versionProblem.message, versionProblem.repair)] : []
  if (unknownMigrations.length > 0)
    findings.push(
      failed(
        `A newer version has changed the database (${unknownMigrations.join(', ')}).`,
        'Install that version again, or restore the backup from before its first start.',
      ),
    )
  if (pendingMigrations.length > 0)
    findings.push(
      warning(
        `${pendingMigrations.length} changes of the tables are pending, up to ${pendingMigrations.at(-1)}.`,
        'Make a backup, then start this version. It applies them.',
      ),
    )
  if (mismatchedTables.length > 0)
    findings.push(
      failed(
        `The collation of ${mismatchedTables.join(', ')} differs from the platform's tables. Every signed-in request fails.`,
        'Restart the server. It changes the collation of its own tables at every start.',
      ),
    )
  return findings.length > 0 ? findings : [passed('All tables are present, up to date, and have joinable collations.')]
}

/** A statement on a table of our own for each privilege that the server needs. */
const listPrivilegeTests = (table: string): [privilege: string, statement: string][] => [
  ['CREATE', `create table ${table} (sid char(36) not null primary key)`],
  ['SELECT', `select sid from ${table}`],
  ['INSERT', `insert into ${table} (sid) values ('1')`],
  ['UPDATE', `update ${table} set sid = '2'`],
  ['DELETE', `delete from ${table}`],
  ['ALTER', `alter table ${table} add column name varchar(8)`],
  ['INDEX', `create index ${table}_name on ${table} (name)`],
  ['DROP', `drop table ${table}`],
]

/** Tries what the server does with a database of MySQL or MariaDB. Roles and patterns make grants hard to read. */
const checkPrivileges = async ({ db, engine }: SqlDatabase): Promise<Finding[]> => {
  if (engine === 'sqlite') return [passed('SQLite has no privileges.')]
  const table = `trunkline_doctor_${randomBytes(4).toString('hex')}`
  const missing: string[] = []
  let reason = ''
  try {
    for (const [privilege, statement] of listPrivilegeTests(table)) {
      // Without the table, the tests on it say nothing.
      if (missing.includes('CREATE')) break
      await sql
        .raw(statement)
        .execute(db)
        .catch((error: unknown) => {
          missing.push(privilege)
          reason ||= errorTextOf(error)
        })
    }
  } finally {
    await sql
      .raw(`drop table if exists ${table}`)
      .execute(db)
      .catch(() => undefined)
  }
  if (missing.length === 0) return [passed('The database user may read, write and change tables.')]
  return [
    failed(
      `The database user lacks ${missing.join(', ')} (${reason}).`,
      'As a database administrator: GRANT ALL ON <database>.* TO <user>.',
    ),
  ]
}

const readSkewSeconds = async ({ db }: SqlDatabase): Promise<number> => {
  const startedAt = Date.now()
  const { rows } = await sql<{ seconds: number | string }>`select unix_timestamp(now(6)) as seconds`.execute(db)
  return Number(rows[0]?.seconds) - (startedAt + Date.now()) / 2000
}

export const judgeSkew = (seconds: number): Finding => {
  const size = Math.abs(seconds)
  if (size <= maxSkewSeconds.warning) return passed('The clocks of this machine and of the database agree.')
  const judge = size > maxSkewSeconds.failed ? failed : warning
  return judge(
    `The clock of the database is ${size.toFixed(0)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} this machine's.`,
    'Synchronize the clocks of both machines with NTP (timedatectl set-ntp true).',
  )
}

/** The clock of the database server against this machine's. */
const checkClock = async (database: SqlDatabase): Promise<Finding[]> =>
  database.engine === 'sqlite'
    ? [passed('SQLite uses the clock of this machine.')]
    : [judgeSkew(await readSkewSeconds(database))]

/** Whether the pool fits into what the database server accepts. */
const checkConnectionLimit = async ({ db, engine }: SqlDatabase, config: CheckConfig): Promise<Finding[]> => {
  if (engine === 'sqlite') return []
  const { rows } = await sql<{ limit: number }>`select @@max_connections as ${sql.ref('limit')}`.execute(db)
  const limit = Number(rows[0]?.limit)
  if (config.database.connections < limit) return []
  return [
    warning(
      `DATABASE_CONNECTIONS is ${config.database.connections}, but the database accepts only ${limit} connections.`,
      'Lower DATABASE_CONNECTIONS, or raise max_connections of the database.',
    ),
  ]
}

/** The checks of an open database. */
export const listDatabaseChecks = (database: SqlDatabase, config: CheckConfig): Check[] => [
  { name: 'Tables', run: () => checkSchema(database) },
  {
    name: 'Privileges',
    writes: true,
    run: async () => [...(await checkPrivileges(database)), ...(await checkConnectionLimit(database, config))],
  },
  { name: 'Clock', run: () => checkClock(database) },
]

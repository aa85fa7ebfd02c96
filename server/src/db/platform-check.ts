import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { engineOf } from './database'
import { platformTables, platformVersion, supportedVersions } from './platform-tables'
import type { Tables } from './schema'

/** This server cannot use the database. The message gives the reason and the remedy. */
export class UnsuitableDatabaseError extends Error {
  override readonly name = 'UnsuitableDatabaseError'
}

/** Table names to column names, all in lower case. */
export type ColumnsByTable = Map<string, Set<string>>

/** The tables and columns that the database has. */
export const readTableColumns = async (db: Kysely<Tables>): Promise<ColumnsByTable> => {
  const { rows } =
    engineOf(db) === 'mysql'
      ? await sql<{ table: string; column: string }>`
          select c.table_name as ${sql.ref('table')}, c.column_name as ${sql.ref('column')}
          from information_schema.columns c where c.table_schema = database()`.execute(db)
      : await sql<{ table: string; column: string }>`
          select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
          where m.type in ('table', 'view') and m.name not like 'sqlite!_%' escape '!'`.execute(db)
  const columnsByTable: ColumnsByTable = new Map()
  for (const { table, column } of rows) {
    const columns = columnsByTable.get(table.toLowerCase()) ?? new Set()
    columnsByTable.set(table.toLowerCase(), columns.add(column.toLowerCase()))
  }
  return columnsByTable
}

const formatNames = (names: string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')

const findMissingColumns = (columnsByTable: ColumnsByTable): string[] =>
  platformTables.flatMap((table) => {
    const columns = columnsByTable.get(table.name)
    if (!columns) return [table.name]
    return Object.keys(table.columns)
      .filter((column) => !columns.has(column))
      .map((column) => `${table.name}.${column}`)
  })

/** The platform's versions in the database: one, unless its setup failed. */
const readPlatformVersions = async (db: Kysely<Tables>): Promise<string[]> => {
  const rows = await db.selectFrom('schema_version').select('version').limit(10).execute()
  return rows.flatMap(({ version }) => (version ? [version] : []))
}

/** Numbers of a version such as 0.9.6; undefined if it has another form. */
const parseVersion = (version: string): number[] | undefined =>
  /^\d+(\.\d+)*$/.test(version) ? version.split('.').map(Number) : undefined

const isNewer = (version: readonly number[], reference: readonly number[]): boolean => {
  const index = version.findIndex((number, position) => number !== (reference[position] ?? 0))
  return index >= 0 && version[index]! > (reference[index] ?? 0)
}

/** A problem with the platform's tables, and what to do about it. */
interface PlatformProblem {
  message: string
  repair: string
}

/** Returns why the platform's version in the database is not a supported one; undefined if it is. */
export const findVersionProblem = async (db: Kysely<Tables>): Promise<PlatformProblem | undefined> => {
  const versions = await readPlatformVersions(db)
  const [version = ''] = versions
  const upgrade = `Run the platform's own database upgrade to version ${platformVersion}.`
  if (versions.length > 1)
    return { message: `The table schema_version has several versions (${versions.join(', ')}).`, repair: upgrade }
  if (supportedVersions.includes(version)) return undefined
  const numbers = parseVersion(version)
  const supported = `the supported ones (${supportedVersions.join(', ')})`
  if (versions.length === 0) return { message: 'The table schema_version is empty.', repair: upgrade }
  if (!numbers) return { message: `The table schema_version has the unknown version '${version}'.`, repair: upgrade }
  return isNewer(numbers, parseVersion(platformVersion)!)
    ? {
        message: `The database has the platform's version ${version}, which is newer than ${supported}.`,
        repair: 'Look for a newer version of Trunkline, and make a backup before you change records with this one.',
      }
    : {
        message: `The database has the platform's version ${version}, which is older than ${supported}.`,
        repair: upgrade,
      }
}

/**
 * Throws UnsuitableDatabaseError unless the database has all tables and columns of the platform. Additional columns are fine:
 * the platform's own upgrades leave some.
 */
export const assertPlatformTables = async (
  db: Kysely<Tables>,
  columnsByTable: ColumnsByTable,
  options: { requiresVersion: boolean },
): Promise<void> => {
  const missingColumns = findMissingColumns(columnsByTable)
  if (missingColumns.length > platformTables.length / 2 && !columnsByTable.has('schema_version')) {
    throw new UnsuitableDatabaseError(
      `The database already contains tables of another program (${formatNames([...columnsByTable.keys()].sort())}). ` +
        'Use an empty database or a database of the platform.',
    )
  }
  const [version] = columnsByTable.has('schema_version') ? await readPlatformVersions(db) : []
  if (missingColumns.length) {
    throw new UnsuitableDatabaseError(
      `The database ${version ? `has the platform's version ${version} and ` : ''}lacks ${formatNames(missingColumns)}. ` +
        `Run the platform's own database upgrade to version ${platformVersion}, then start again.`,
    )
  }
  if (!version && options.requiresVersion) {
    throw new UnsuitableDatabaseError(
      'The table schema_version is empty, so the setup of the database is incomplete. ' +
        `Finish the platform's own database setup or upgrade to version ${platformVersion}, or use an empty database.`,
    )
  }
}

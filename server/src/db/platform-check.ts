import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { engineOf } from './database'
import { PLATFORM_VERSION, platformTables } from './migrations/0001-platform'
import type { Tables } from './schema'

/** The database holds something that this server cannot work with. The message says what, and what to do. */
export class UnsuitableDatabase extends Error {
  override readonly name = 'UnsuitableDatabase'
}

/** Table name to column names, in lower case. */
export type Inventory = Map<string, Set<string>>

/** What stands in the database now. */
export const readInventory = async (db: Kysely<Tables>): Promise<Inventory> => {
  const { rows } =
    engineOf(db) === 'mysql'
      ? await sql<{ table: string; column: string }>`
          select c.table_name as ${sql.ref('table')}, c.column_name as ${sql.ref('column')}
          from information_schema.columns c where c.table_schema = database()`.execute(db)
      : await sql<{ table: string; column: string }>`
          select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
          where m.type in ('table', 'view') and m.name not like 'sqlite!_%' escape '!'`.execute(db)
  const inventory: Inventory = new Map()
  for (const { table, column } of rows) {
    const columns = inventory.get(table.toLowerCase()) ?? new Set()
    inventory.set(table.toLowerCase(), columns.add(column.toLowerCase()))
  }
  return inventory
}

const formatNames = (names: string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')

const findMissing = (inventory: Inventory): string[] =>
  platformTables.flatMap((table) => {
    const columns = inventory.get(table.name)
    if (!columns) return [table.name]
    return Object.keys(table.columns)
      .filter((column) => !columns.has(column))
      .map((column) => `${table.name}.${column}`)
  })

const platformVersion = async (db: Kysely<Tables>): Promise<string | undefined> => {
  const row = await db.selectFrom('schema_version').select('version').executeTakeFirst()
  return row?.version ?? undefined
}

/**
 * Refuses a database that is not the platform's, or one of another version. Databases that came through the
 * platform's upgrades have columns beyond ours, so more than we know is always welcome.
 */
export const assertPlatform = async (
  db: Kysely<Tables>,
  inventory: Inventory,
  options: { requiresVersion: boolean },
): Promise<void> => {
  const missing = findMissing(inventory)
  if (missing.length > platformTables.length / 2 && !inventory.has('schema_version')) {
    throw new UnsuitableDatabase(
      `The database already holds tables of something else (${formatNames([...inventory.keys()].sort())}). ` +
        'Give the server an empty database, or one that belongs to the platform.',
    )
  }
  const version = inventory.has('schema_version') ? await platformVersion(db) : undefined
  if (missing.length) {
    throw new UnsuitableDatabase(
      `The database ${version ? `is of the platform's version ${version} and ` : ''}lacks ${formatNames(missing)}. ` +
        `Run the platform's own database upgrade to version ${PLATFORM_VERSION}, then start again.`,
    )
  }
  if (!version && options.requiresVersion) {
    throw new UnsuitableDatabase(
      'The table schema_version is empty, so the database was not set up to the end. ' +
        `Finish the platform's own database setup or upgrade to version ${PLATFORM_VERSION}, or give an empty database.`,
    )
  }
}

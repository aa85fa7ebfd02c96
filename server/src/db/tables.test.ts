import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmptyDatabase, databaseEngines } from '../../test/databases'
import type { EmptyDatabase } from '../../test/databases'
import { migrate } from './migrate'

/** Table name to its sorted lines; the head of the file explains the format. */
const readDocumentedTables = (): Map<string, string[]> => {
  const linesByTable = new Map<string, string[]>()
  let lines: string[] = []
  const text = readFileSync(new URL('../../test/documented-columns.txt', import.meta.url), 'utf8')
  for (const line of text.split('\n')) {
    if (!line.trim() || line.startsWith('#')) continue
    if (line.startsWith('  ')) lines.push(line.trim())
    else linesByTable.set(line, (lines = []))
  }
  for (const tableLines of linesByTable.values()) tableLines.sort()
  return linesByTable
}

interface ReportedColumn {
  table: string
  column: string
  type: string
  nullable: number
  initial: string | null
  primary: number
}
interface ReportedKey {
  table: string
  key: string
  unique: number
  columns: string
}
interface ReportedForeignKey {
  table: string
  column: string
  parent: string
  rule: string
}

/** The tables as the engine reports them. */
interface ReportedSchema {
  columns: ReportedColumn[]
  keys: ReportedKey[]
  foreignKeys: ReportedForeignKey[]
}

const readMysqlSchema = async ({ db }: EmptyDatabase): Promise<ReportedSchema> => {
  const columns = await sql<ReportedColumn>`
    select table_name as \`table\`, column_name as \`column\`, column_type as type, is_nullable = 'YES' as nullable,
      column_default as initial, column_key = 'PRI' as \`primary\`
    from information_schema.columns where table_schema = database()`.execute(db)
  const keys = await sql<ReportedKey>`
    select table_name as \`table\`, index_name as \`key\`, non_unique = 0 as \`unique\`,
      group_concat(column_name order by seq_in_index) as columns
    from information_schema.statistics where table_schema = database() and index_name <> 'PRIMARY'
    group by table_name, index_name, non_unique`.execute(db)
  const foreignKeys = await sql<ReportedForeignKey>`
    select k.table_name as \`table\`, k.column_name as \`column\`,
      concat(k.referenced_table_name, '.', k.referenced_column_name) as parent, r.delete_rule as rule
    from information_schema.key_column_usage k
    join information_schema.referential_constraints r
      on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
    where k.table_schema = database() and k.referenced_table_name is not null`.execute(db)
  return { columns: columns.rows, keys: keys.rows, foreignKeys: foreignKeys.rows }
}

const readSqliteSchema = async ({ db }: EmptyDatabase): Promise<ReportedSchema> => {
  const columns = await sql<ReportedColumn>`
    select m.name as "table", c.name as "column", c.type as type, c."notnull" = 0 as nullable,
      c.dflt_value as initial, c.pk > 0 as "primary"
    from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'`.execute(db)
  const keys = await sql<ReportedKey>`
    select m.name as "table", i.name as "key", i."unique" as "unique",
      (select group_concat(name) from (select name from pragma_index_info(i.name) order by seqno)) as columns
    from sqlite_master m, pragma_index_list(m.name) i where m.type = 'table' and i.origin <> 'pk'`.execute(db)
  const foreignKeys = await sql<ReportedForeignKey>`
    select m.name as "table", f."from" as "column", f."table" || '.' || f."to" as parent, f.on_delete as rule
    from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`.execute(db)
  return { columns: columns.rows, keys: keys.rows, foreignKeys: foreignKeys.rows }
}

const formatDefault = (value: string | null): string => {
  const text = (value ?? 'NULL').replace(/^'(.*)'$/, '$1')
  if (text === 'NULL' || text === '') return ''
  return ` = ${/^current_timestamp/i.test(text) ? 'now' : text}`
}

/** MySQL's report in the format of the documented list. */
const describeMysqlTable = ({ columns, keys, foreignKeys: parents }: ReportedSchema, table: string): string[] => {
  const lines = columns
    .filter((column) => column.table === table)
    .map((column) => {
      const type = column.type
        .replace(/^tinyint\(1\)$/, 'flag')
        .replace(/^int\(\d+\)$/, 'int')
        .replaceAll("'", '')
      const isUnique = keys.some((key) => key.table === table && key.unique && key.key === column.column)
      const parent = parents.find((foreignKey) => foreignKey.table === table && foreignKey.column === column.column)
      return (
        `${column.column} ${type}${column.nullable ? ' null' : ''}${formatDefault(column.initial)}` +
        (column.primary ? ' primary' : '') +
        (isUnique ? ' unique' : '') +
        (parent ? ` -> ${parent.parent}${parent.rule === 'CASCADE' ? ' cascade' : ''}` : '')
      )
    })
  const columnNames = new Set(columns.filter((column) => column.table === table).map(({ column }) => column))
  const indexes = keys
    // InnoDB names its indexes for foreign keys after the constraint, and unique keys after the column.
    .filter(({ table: index, key }) => index === table && !/_ibfk_\d+$/.test(key) && !columnNames.has(key))
    .map(({ key, unique, columns }) => `${unique ? 'unique' : 'index'} ${key} (${columns})`)
  return [...lines, ...indexes].sort()
}

/** A documented line as SQLite reports it: with fewer types, and with the table in index names. */
const toSqliteLine = (line: string, table: string): string => {
  const key = /^(index|unique) (\w+) (.*)$/.exec(line)
  if (key) return `${key[1]} ${table}_${key[2]} ${key[3]}`
  const [column, type = '', ...rest] = line.split(' ')
  const sqliteType = type.startsWith('varbinary') ? 'blob' : /^(int|flag)$/.test(type) ? 'integer' : 'text'
  return [column, sqliteType, ...rest].join(' ')
}

const describeSqliteTable = ({ columns, keys, foreignKeys: parents }: ReportedSchema, table: string): string[] => {
  const tableKeys = keys.filter((key) => key.table === table)
  const lines = columns
    .filter((column) => column.table === table)
    .map((column) => {
      const isUnique = tableKeys.some((key) => key.key.startsWith('sqlite_') && key.columns === column.column)
      const parent = parents.find((foreignKey) => foreignKey.table === table && foreignKey.column === column.column)
      return (
        `${column.column} ${column.type.toLowerCase()}${column.nullable ? ' null' : ''}${formatDefault(column.initial)}` +
        (column.primary ? ' primary' : '') +
        (isUnique ? ' unique' : '') +
        (parent ? ` -> ${parent.parent}${parent.rule === 'CASCADE' ? ' cascade' : ''}` : '')
      )
    })
  const indexes = tableKeys
    .filter(({ key }) => !key.startsWith('sqlite_') && !key.endsWith('_fk_idx'))
    .map(({ key, unique, columns }) => `${unique ? 'unique' : 'index'} ${key} (${columns})`)
  return [...lines, ...indexes].sort()
}

describe.each(databaseEngines)('the tables on %s', (databaseEngine) => {
  let database: EmptyDatabase
  let schema: ReportedSchema

  beforeAll(async () => {
    database = await createEmptyDatabase(databaseEngine)
    await migrate(database.db)
    schema = await (databaseEngine === 'mysql' ? readMysqlSchema(database) : readSqliteSchema(database))
  })
  afterAll(() => database.close())

  test('are the 38 documented tables and those of Trunkline', () => {
    const tables = new Set(schema.columns.map(({ table }) => table))
    expect(readDocumentedTables().size).toBe(38)
    expect([...tables].filter((table) => !table.startsWith('trunkline_')).sort()).toEqual(
      [...readDocumentedTables().keys()].sort(),
    )
    expect([...tables].filter((table) => table.startsWith('trunkline_')).sort()).toEqual([
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
  })

  test.each([...readDocumentedTables()])('%s: has the documented columns and keys', (table, lines) => {
    if (databaseEngine === 'mysql') expect(describeMysqlTable(schema, table)).toEqual(lines)
    else expect(describeSqliteTable(schema, table)).toEqual(lines.map((line) => toSqliteLine(line, table)).sort())
  })

  test.runIf(databaseEngine === 'sqlite')('have checks for lengths and enum values', async () => {
    const { rows } = await sql<{ name: string; text: string }>`
      select name, sql as text from sqlite_master where type = 'table'`.execute(database.db)
    const statementByTable = new Map(rows.map(({ name, text }) => [name, text]))
    const missingChecks = [...readDocumentedTables()].flatMap(([table, lines]) =>
      lines.filter((line) => {
        const [, column, length] = /^(\w+) (?:var)?(?:char|binary)\((\d+)\)/.exec(line) ?? []
        const [, enumColumn, values = ''] = /^(\w+) enum\(([^)]*)\)/.exec(line) ?? []
        const choices = values.split(',').map((value) => `'${value}'`)
        const check = column ? `length("${column}") <= ${length})` : `"${enumColumn}" IN (${choices.join(', ')})`
        return (column || enumColumn) && !statementByTable.get(table)?.includes(check)
      }),
    )
    expect(missingChecks).toEqual([])
  })

  test('have an index on every foreign key, so that deletes do not scan the child table', () => {
    const unindexedKeys = schema.foreignKeys.filter(
      ({ table, column }) => !schema.keys.some((key) => key.table === table && key.columns.split(',')[0] === column),
    )
    expect(unindexedKeys).toEqual([])
  })
})

import type { Column, Table } from './columns'

const name = (id: string) => `"${id}"`
const names = (ids: readonly string[]) => ids.map(name).join(', ')
const literal = (value: string | number) =>
  typeof value === 'number' ? String(value) : `'${value.replace(/'/g, "''")}'`

const typeOf = ({ definition: facts }: Column<unknown>): string => {
  switch (facts.kind.type) {
    case 'int':
    case 'bigint':
    case 'flag':
      return 'INTEGER'
    case 'varbinary':
    case 'mediumblob':
      return 'BLOB'
    default:
      return facts.caseSensitive ? 'TEXT' : 'TEXT COLLATE NOCASE'
  }
}

/** MySQL's limits in bytes. */
const maxBytes = { text: 65_535, mediumtext: 16_777_215, mediumblob: 16_777_215 } as const

/** A check with MySQL's limit for the type. errors.ts reads the violated rule from the name of the check. */
const checkOf = (id: string, { definition: { kind } }: Column<unknown>): [rule: string, test: string] => {
  const column = name(id)
  switch (kind.type) {
    case 'char':
    case 'varchar':
    case 'varbinary':
      return ['length', `length(${column}) <= ${kind.length}`]
    case 'enum':
      return ['choice', `${column} IN (${kind.values.map(literal).join(', ')})`]
    case 'int':
      return ['range', `${column} BETWEEN -2147483648 AND 2147483647`]
    case 'bigint':
      return ['range', `${column} BETWEEN -9007199254740991 AND 9007199254740991`]
    case 'flag':
      return ['range', `${column} IN (0, 1)`]
    case 'datetime':
    case 'timestamp':
      return ['date', `${column} IS datetime(${column})`]
    default:
      return ['length', `length(CAST(${column} AS BLOB)) <= ${maxBytes[kind.type]}`]
  }
}

const columnLine = (id: string, column: Column<unknown>, isOnlyPrimaryKey: boolean): string => {
  const { definition: facts } = column
  const parts = [name(id), typeOf(column)]
  if (facts.primary && isOnlyPrimaryKey) parts.push('PRIMARY KEY')
  if (!facts.nullable) parts.push('NOT NULL')
  if (facts.defaultNow) parts.push('DEFAULT CURRENT_TIMESTAMP')
  else if (facts.default !== undefined) parts.push(`DEFAULT ${literal(facts.default)}`)
  if (facts.unique) parts.push('UNIQUE')
  const [rule, test] = checkOf(id, column)
  parts.push(`CONSTRAINT "${rule}:${id}" CHECK (${test})`)
  if (facts.references) {
    const { table, column: target, cascade } = facts.references
    parts.push(`REFERENCES ${name(table)} (${name(target)})${cascade ? ' ON DELETE CASCADE' : ''}`)
  }
  return parts.join(' ')
}

/** InnoDB indexes foreign keys by itself. Without these indexes SQLite scans the child table at every delete. */
const referenceIndexes = (table: Table): [string, readonly string[]][] => {
  const leading = new Set([...Object.values(table.indexes), ...Object.values(table.unique)].map((ids) => ids[0]))
  return Object.entries(table.columns)
    .filter(([id, { definition: facts }]) => facts.references && !facts.unique && !leading.has(id))
    .map(([id]) => [`${id}_fk_idx`, [id]])
}

/** Statements for the table and its indexes. Index names are global in SQLite, so they start with the table name. */
export const sqliteTable = (table: Table): string[] => {
  const columns = Object.entries(table.columns)
  const primary = columns.filter(([, { definition: facts }]) => facts.primary).map(([id]) => id)
  const hasCompositeKey = primary.length > 1
  const lines = [
    ...columns.map(([id, column]) => columnLine(id, column, !hasCompositeKey)),
    ...(hasCompositeKey ? [`PRIMARY KEY (${names(primary)})`] : []),
  ]
  const createIndex = (unique: string, [key, ids]: [string, readonly string[]]) =>
    `CREATE ${unique}INDEX IF NOT EXISTS ${name(`${table.name}_${key}`)} ON ${name(table.name)} (${names(ids)})`
  return [
    `CREATE TABLE IF NOT EXISTS ${name(table.name)} (\n  ${lines.join(',\n  ')}\n) STRICT${hasCompositeKey ? ', WITHOUT ROWID' : ''}`,
    ...Object.entries(table.unique).map((key) => createIndex('UNIQUE ', key)),
    ...[...Object.entries(table.indexes), ...referenceIndexes(table)].map((key) => createIndex('', key)),
  ]
}

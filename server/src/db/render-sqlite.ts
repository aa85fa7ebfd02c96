import type { Column, Table } from './columns'

const quoteName = (columnName: string) => `"${columnName}"`
const quoteNames = (columnNames: readonly string[]) => columnNames.map(quoteName).join(', ')
const quoteLiteral = (value: string | number) =>
  typeof value === 'number' ? String(value) : `'${value.replace(/'/g, "''")}'`

const renderType = ({ definition }: Column<unknown>): string => {
  switch (definition.kind.type) {
    case 'int':
    case 'bigint':
    case 'flag':
      return 'INTEGER'
    case 'varbinary':
    case 'mediumblob':
      return 'BLOB'
    default:
      return definition.caseSensitive ? 'TEXT' : 'TEXT COLLATE NOCASE'
  }
}

/** MySQL's limits in bytes. */
const maxBytesByType = { text: 65_535, mediumtext: 16_777_215, mediumblob: 16_777_215 } as const

/** A check with MySQL's limit for the type. errors.ts reads the violated rule from the name of the check. */
const renderCheck = (columnName: string, { definition: { kind } }: Column<unknown>): [rule: string, test: string] => {
  const column = quoteName(columnName)
  switch (kind.type) {
    case 'char':
    case 'varchar':
    case 'varbinary':
      return ['length', `length(${column}) <= ${kind.length}`]
    case 'enum':
      return ['choice', `${column} IN (${kind.values.map(quoteLiteral).join(', ')})`]
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
      return ['length', `length(CAST(${column} AS BLOB)) <= ${maxBytesByType[kind.type]}`]
  }
}

const renderColumn = (columnName: string, column: Column<unknown>, isOnlyPrimaryKey: boolean): string => {
  const { definition } = column
  const clauses = [quoteName(columnName), renderType(column)]
  if (definition.primary && isOnlyPrimaryKey) clauses.push('PRIMARY KEY')
  if (!definition.nullable) clauses.push('NOT NULL')
  if (definition.defaultNow) clauses.push('DEFAULT CURRENT_TIMESTAMP')
  else if (definition.default !== undefined) clauses.push(`DEFAULT ${quoteLiteral(definition.default)}`)
  if (definition.unique) clauses.push('UNIQUE')
  const [rule, test] = renderCheck(columnName, column)
  clauses.push(`CONSTRAINT "${rule}:${columnName}" CHECK (${test})`)
  if (definition.references) {
    const { table, column: parentColumn, cascade } = definition.references
    clauses.push(`REFERENCES ${quoteName(table)} (${quoteName(parentColumn)})${cascade ? ' ON DELETE CASCADE' : ''}`)
  }
  return clauses.join(' ')
}

/** InnoDB indexes foreign keys by itself. Without these indexes SQLite scans the child table at every delete. */
const listReferenceIndexes = (table: Table): [string, readonly string[]][] => {
  const leadingColumns = new Set(
    [...Object.values(table.indexes), ...Object.values(table.unique)].map((columnNames) => columnNames[0]),
  )
  return Object.entries(table.columns)
    .filter(
      ([columnName, { definition }]) => definition.references && !definition.unique && !leadingColumns.has(columnName),
    )
    .map(([columnName]) => [`${columnName}_fk_idx`, [columnName]])
}

/** Statements for the table and its indexes. Index names are global in SQLite, so they start with the table name. */
export const renderSqliteTable = (table: Table): string[] => {
  const columns = Object.entries(table.columns)
  const primaryKey = columns.filter(([, { definition }]) => definition.primary).map(([columnName]) => columnName)
  const hasCompositeKey = primaryKey.length > 1
  const lines = [
    ...columns.map(([columnName, column]) => renderColumn(columnName, column, !hasCompositeKey)),
    ...(hasCompositeKey ? [`PRIMARY KEY (${quoteNames(primaryKey)})`] : []),
  ]
  const createIndex = (unique: string, [key, columnNames]: [string, readonly string[]]) =>
    `CREATE ${unique}INDEX IF NOT EXISTS ${quoteName(`${table.name}_${key}`)} ON ${quoteName(table.name)} (${quoteNames(columnNames)})`
  return [
    `CREATE TABLE IF NOT EXISTS ${quoteName(table.name)} (\n  ${lines.join(',\n  ')}\n) STRICT${hasCompositeKey ? ', WITHOUT ROWID' : ''}`,
    ...Object.entries(table.unique).map((key) => createIndex('UNIQUE ', key)),
    ...[...Object.entries(table.indexes), ...listReferenceIndexes(table)].map((key) => createIndex('', key)),
  ]
}

import type { Column, ColumnKind, Table } from './columns'

/** `sidCollation`: the collation of the platform's SIDs, if our tables are added to an existing database. */
export interface MysqlTextOptions {
  sidCollation?: string
}

const collation = 'utf8mb4_unicode_ci'
const quoteName = (columnName: string) => `\`${columnName}\``
const quoteNames = (columnNames: readonly string[]) => columnNames.map(quoteName).join(', ')
const quoteLiteral = (value: string | number) =>
  typeof value === 'number' ? String(value) : `'${value.replace(/'/g, "''")}'`

const renderType = (kind: ColumnKind): string => {
  switch (kind.type) {
    case 'char':
    case 'varchar':
    case 'varbinary':
      return `${kind.type.toUpperCase()}(${kind.length})`
    case 'enum':
      return `ENUM(${kind.values.map(quoteLiteral).join(',')})`
    case 'flag':
      return 'TINYINT(1)'
    default:
      return kind.type.toUpperCase()
  }
}

/** The definition of a column in `create table` and `alter table`. */
export const renderMysqlColumn = (
  columnName: string,
  { definition }: Column<unknown>,
  { sidCollation }: MysqlTextOptions,
): string => {
  const clauses = [quoteName(columnName), renderType(definition.kind)]
  const isSid = definition.kind.type === 'char' && definition.kind.length === 36
  // MySQL cannot join columns with different collations, so our SIDs use the platform's.
  if (isSid && sidCollation) clauses.push(`CHARACTER SET ${sidCollation.split('_')[0]} COLLATE ${sidCollation}`)
  // An explicit NULL, because with older defaults a TIMESTAMP without it is NOT NULL.
  clauses.push(definition.nullable ? 'NULL' : 'NOT NULL')
  if (definition.defaultNow) clauses.push('DEFAULT CURRENT_TIMESTAMP')
  else if (definition.default !== undefined) clauses.push(`DEFAULT ${quoteLiteral(definition.default)}`)
  else if (definition.nullable && !['text', 'mediumtext'].includes(definition.kind.type)) clauses.push('DEFAULT NULL')
  return clauses.join(' ')
}

const renderForeignKeys = (table: Table): string[] =>
  Object.entries(table.columns).flatMap(([columnName, { definition }]) => {
    if (!definition.references) return []
    const { table: parentTable, column, cascade } = definition.references
    return [
      `FOREIGN KEY (${quoteName(columnName)}) REFERENCES ${quoteName(parentTable)} (${quoteName(column)})${cascade ? ' ON DELETE CASCADE' : ''}`,
    ]
  })

/** The `create table` statement. Tables reference each other in cycles, so run it with foreign key checks disabled. */
export const renderMysqlTable = (table: Table, textOptions: MysqlTextOptions = {}): string[] => {
  const columns = Object.entries(table.columns)
  const primaryKey = columns.filter(([, { definition }]) => definition.primary).map(([columnName]) => columnName)
  const lines = [
    ...columns.map(([columnName, column]) => renderMysqlColumn(columnName, column, textOptions)),
    ...(primaryKey.length ? [`PRIMARY KEY (${quoteNames(primaryKey)})`] : []),
    ...columns
      .filter(([, { definition }]) => definition.unique)
      .map(([columnName]) => `UNIQUE KEY ${quoteName(columnName)} (${quoteName(columnName)})`),
    ...Object.entries(table.unique).map(
      ([key, columnNames]) => `UNIQUE KEY ${quoteName(key)} (${quoteNames(columnNames)})`,
    ),
    ...Object.entries(table.indexes).map(([key, columnNames]) => `KEY ${quoteName(key)} (${quoteNames(columnNames)})`),
    ...renderForeignKeys(table),
  ]
  const options = `ENGINE=InnoDB DEFAULT CHARACTER SET=utf8mb4 COLLATE=${collation}`
  return [`CREATE TABLE IF NOT EXISTS ${quoteName(table.name)} (\n  ${lines.join(',\n  ')}\n) ${options}`]
}

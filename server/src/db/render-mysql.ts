import type { Column, ColumnKind, Table } from './columns'

/** How text is stored: the collation of the platform's sids, when our tables are added beside existing ones. */
export interface MysqlTextOptions {
  sidCollation?: string
}

const COLLATION = 'utf8mb4_unicode_ci'
const name = (id: string) => `\`${id}\``
const names = (ids: readonly string[]) => ids.map(name).join(', ')
const literal = (value: string | number) =>
  typeof value === 'number' ? String(value) : `'${value.replace(/'/g, "''")}'`

const typeOf = (kind: ColumnKind): string => {
  switch (kind.type) {
    case 'char':
    case 'varchar':
    case 'varbinary':
      return `${kind.type.toUpperCase()}(${kind.length})`
    case 'enum':
      return `ENUM(${kind.values.map(literal).join(',')})`
    case 'flag':
      return 'TINYINT(1)'
    default:
      return kind.type.toUpperCase()
  }
}

/** A column as a statement declares it. */
export const mysqlColumn = (
  id: string,
  { definition: facts }: Column<unknown>,
  { sidCollation }: MysqlTextOptions,
): string => {
  const parts = [name(id), typeOf(facts.kind)]
  const isSid = facts.kind.type === 'char' && facts.kind.length === 36
  // Text of unlike collations cannot be compared in a join, so our sids take the collation that theirs have.
  if (isSid && sidCollation) parts.push(`CHARACTER SET ${sidCollation.split('_')[0]} COLLATE ${sidCollation}`)
  // NULL is said aloud: without it a TIMESTAMP is NOT NULL on servers with the older defaults.
  parts.push(facts.nullable ? 'NULL' : 'NOT NULL')
  if (facts.defaultNow) parts.push('DEFAULT CURRENT_TIMESTAMP')
  else if (facts.default !== undefined) parts.push(`DEFAULT ${literal(facts.default)}`)
  else if (facts.nullable && !['text', 'mediumtext'].includes(facts.kind.type)) parts.push('DEFAULT NULL')
  return parts.join(' ')
}

const foreignKeys = (table: Table): string[] =>
  Object.entries(table.columns).flatMap(([id, { definition: facts }]) => {
    if (!facts.references) return []
    const { table: parent, column, cascade } = facts.references
    return [
      `FOREIGN KEY (${name(id)}) REFERENCES ${name(parent)} (${name(column)})${cascade ? ' ON DELETE CASCADE' : ''}`,
    ]
  })

/** The statement that makes the table. Tables point at each other in circles: run it with foreign key checks off. */
export const mysqlTable = (table: Table, textOptions: MysqlTextOptions = {}): string[] => {
  const columns = Object.entries(table.columns)
  const primary = columns.filter(([, { definition: facts }]) => facts.primary).map(([id]) => id)
  const lines = [
    ...columns.map(([id, column]) => mysqlColumn(id, column, textOptions)),
    ...(primary.length ? [`PRIMARY KEY (${names(primary)})`] : []),
    ...columns
      .filter(([, { definition: facts }]) => facts.unique)
      .map(([id]) => `UNIQUE KEY ${name(id)} (${name(id)})`),
    ...Object.entries(table.unique).map(([key, ids]) => `UNIQUE KEY ${name(key)} (${names(ids)})`),
    ...Object.entries(table.indexes).map(([key, ids]) => `KEY ${name(key)} (${names(ids)})`),
    ...foreignKeys(table),
  ]
  const options = `ENGINE=InnoDB DEFAULT CHARACTER SET=utf8mb4 COLLATE=${COLLATION}`
  return [`CREATE TABLE IF NOT EXISTS ${name(table.name)} (\n  ${lines.join(',\n  ')}\n) ${options}`]
}

import type { Column, ColumnKind, Table } from './columns'

/** `sidCollation`: the collation of the platform's SIDs, if our tables are added to an existing database. */
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

/** The definition of a column in `create table` and `alter table`. */
export const mysqlColumn = (
  id: string,
  { definition: facts }: Column<unknown>,
  { sidCollation }: MysqlTextOptions,
): string => {
  const parts = [name(id), typeOf(facts.kind)]
  const isSid = facts.kind.type === 'char' && facts.kind.length === 36
  // MySQL cannot join columns with different collations, so our SIDs use the platform's.
  if (isSid && sidCollation) parts.push(`CHARACTER SET ${sidCollation.split('_')[0]} COLLATE ${sidCollation}`)
  // An explicit NULL, because with older defaults a TIMESTAMP without it is NOT NULL.
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

/** The `create table` statement. Tables reference each other in cycles, so run it with foreign key checks disabled. */
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

import type { CompiledQuery, OperationNode, RootOperationNode } from 'kysely'
import { platformTables } from './platform-tables'

type Row = Record<string, unknown>

const columnNameOf = (node: OperationNode): string => {
  if ('column' in node) return columnNameOf(node.column as OperationNode)
  if ('identifier' in node) return columnNameOf(node.identifier as OperationNode)
  return 'name' in node ? String(node.name) : ''
}

const literalValueOf = (node: OperationNode): unknown => ('value' in node ? node.value : undefined)

const listInsertedRows = (query: RootOperationNode): Row[] => {
  if (query.kind !== 'InsertQueryNode' || query.values?.kind !== 'ValuesNode') return []
  const columns = (query.columns ?? []).map(columnNameOf)
  const rowNodes = 'values' in query.values ? (query.values.values as readonly OperationNode[]) : []
  return rowNodes.map((rowNode) => {
    const values = 'values' in rowNode ? (rowNode.values as readonly unknown[]) : []
    const rowValues =
      rowNode.kind === 'ValueListNode' ? values.map((value) => literalValueOf(value as OperationNode)) : values
    return Object.fromEntries(columns.map((column, index) => [column, rowValues[index]]))
  })
}

/** Reads the columns from the compiled SQL, `"column" = ?`, because an update may have been written as raw SQL. */
const listUpdatedRows = ({ sql, parameters }: CompiledQuery): Row[] => {
  if (!/^\s*update\s/i.test(sql)) return []
  const row: Row = {}
  let index = 0
  for (const [, column] of sql.replace(/\swhere\s.*$/is, '').matchAll(/(?:"(\w+)"\s*=\s*)?\?/g)) {
    if (column) row[column] = parameters[index]
    index += 1
  }
  return [row]
}

/** The rows of an insert, or the changed columns of an update. */
const listWrittenRows = (query: CompiledQuery | undefined): Row[] => {
  if (!query) return []
  return [...listInsertedRows(query.query), ...listUpdatedRows(query)]
}

const formatValue = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const formatEntry = (row: Row | undefined, columns: string[]): string =>
  columns.map((column) => formatValue(row?.[column])).join('-')

/** The first row that repeats an earlier row of the same insert; otherwise the first row. */
const findRepeatedRow = (rows: Row[], columns: string[]): Row | undefined => {
  const earlierEntries = new Set<string>()
  for (const row of rows) {
    const values = formatEntry(row, columns).toLowerCase()
    if (earlierEntries.has(values)) return row
    earlierEntries.add(values)
  }
  return rows[0]
}

const indexNameOf = (table: string, columns: string[], isPrimaryKey: boolean): string => {
  if (isPrimaryKey) return 'PRIMARY'
  const tableDefinition = platformTables.find(({ name }) => name === table)
  const key = Object.entries(tableDefinition?.unique ?? {}).find(
    ([, columnNames]) => columnNames.join() === columns.join(),
  )
  return key?.[0] ?? columns.join('_')
}

export interface Duplicate {
  message: string
  /** The name of the violated key, without its table. */
  index: string
}

/** Builds MySQL's message from SQLite's `UNIQUE constraint failed: table.a, table.b` and the failed statement. */
export const describeSqliteDuplicate = (
  message: string,
  isPrimaryKey: boolean,
  query: CompiledQuery | undefined,
): Duplicate => {
  const columnPaths = message.replace(/^.*failed: /, '').split(', ')
  const table = columnPaths[0]?.split('.')[0] ?? ''
  const columns = columnPaths.map((path) => path.split('.')[1] ?? path)
  const index = indexNameOf(table, columns, isPrimaryKey)
  return {
    index,
    message: `Duplicate entry '${formatEntry(findRepeatedRow(listWrittenRows(query), columns), columns)}' for key '${index}'`,
  }
}

/** Since version 8 MySQL prefixes the key with its table. */
export const describeMysqlDuplicate = (message: string): Duplicate => {
  const index = /for key '(?:[^']*\.)?([^'.]+)'$/.exec(message)?.[1] ?? ''
  return { index, message }
}

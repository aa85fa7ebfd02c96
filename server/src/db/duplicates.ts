import type { CompiledQuery, OperationNode, RootOperationNode } from 'kysely'
import { platformTables } from './migrations/0001-platform'

type Row = Record<string, unknown>

const identifier = (node: OperationNode): string => {
  if ('column' in node) return identifier(node.column as OperationNode)
  if ('identifier' in node) return identifier(node.identifier as OperationNode)
  return 'name' in node ? String(node.name) : ''
}

const plain = (node: OperationNode): unknown => ('value' in node ? node.value : undefined)

const inserted = (query: RootOperationNode): Row[] => {
  if (query.kind !== 'InsertQueryNode' || query.values?.kind !== 'ValuesNode') return []
  const columns = (query.columns ?? []).map(identifier)
  const lists = 'values' in query.values ? (query.values.values as readonly OperationNode[]) : []
  return lists.map((list) => {
    const values = 'values' in list ? (list.values as readonly unknown[]) : []
    const read = list.kind === 'ValueListNode' ? values.map((value) => plain(value as OperationNode)) : values
    return Object.fromEntries(columns.map((column, place) => [column, read[place]]))
  })
}

/** An update may have been written as text, so its columns are read from the compiled statement: `"column" = ?`. */
const updated = ({ sql, parameters }: CompiledQuery): Row[] => {
  if (!/^\s*update\s/i.test(sql)) return []
  const row: Row = {}
  let place = 0
  for (const [, column] of sql.replace(/\swhere\s.*$/is, '').matchAll(/(?:"(\w+)"\s*=\s*)?\?/g)) {
    if (column) row[column] = parameters[place]
    place += 1
  }
  return [row]
}

/** The rows that a write carried; of an update only the changed columns. */
const rowsOf = (query: CompiledQuery | undefined): Row[] => {
  if (!query) return []
  return [...inserted(query.query), ...updated(query)]
}

const shown = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const entry = (row: Row | undefined, columns: string[]): string =>
  columns.map((column) => shown(row?.[column])).join('-')

/** Of several rows written at once, the one that repeats an earlier one; otherwise the first. */
const culprit = (rows: Row[], columns: string[]): Row | undefined => {
  const seen = new Set<string>()
  for (const row of rows) {
    const values = entry(row, columns).toLowerCase()
    if (seen.has(values)) return row
    seen.add(values)
  }
  return rows[0]
}

const indexName = (table: string, columns: string[], primary: boolean): string => {
  if (primary) return 'PRIMARY'
  const described = platformTables.find(({ name }) => name === table)
  const key = Object.entries(described?.unique ?? {}).find(([, ids]) => ids.join() === columns.join())
  return key?.[0] ?? columns.join('_')
}

export interface Duplicate {
  message: string
  /** The violated key, without the table's name. */
  index: string
}

/** Says what MySQL would say, from SQLite's `UNIQUE constraint failed: table.a, table.b` and the statement behind it. */
export const duplicateOnSqlite = (message: string, primary: boolean, query: CompiledQuery | undefined): Duplicate => {
  const places = message.replace(/^.*failed: /, '').split(', ')
  const table = places[0]?.split('.')[0] ?? ''
  const columns = places.map((place) => place.split('.')[1] ?? place)
  const index = indexName(table, columns, primary)
  return { index, message: `Duplicate entry '${entry(culprit(rowsOf(query), columns), columns)}' for key '${index}'` }
}

/** MySQL's own words. From version 8 on the key is named with its table. */
export const duplicateOnMysql = (message: string): Duplicate => {
  const index = /for key '(?:[^']*\.)?([^'.]+)'$/.exec(message)?.[1] ?? ''
  return { index, message }
}

import { csvHead, csvLine } from '../lib/csv'
import type { Portion } from './every-page'

/** What goes into no file that lies about on a disk. */
const secret = /(password|secret|token|credential|_key|connection_string)$/

const columnsOf = (rows: readonly object[]) =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !secret.test(name))

const harmless = (name: string, value: unknown) => (secret.test(name) ? undefined : value)

/** A webhook is told by its address, any other whole by its JSON. */
const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  const url = typeof value === 'object' && 'url' in value ? value.url : undefined
  return typeof url === 'string' ? url : JSON.stringify(value, harmless)
}

/** Rows as a CSV file whose columns are called as on the wire. Row by row becomes text, so that no second copy is held. */
export const tableFile = async <Row extends object>(
  portions: AsyncIterable<Portion<Row>>,
  onProgress: (done: number, total: number) => void,
): Promise<{ file: Blob; rows: number }> => {
  const parts: string[] = []
  let columns: string[] | undefined
  let done = 0
  for await (const { rows, total } of portions) {
    if (!columns) {
      columns = columnsOf(rows)
      parts.push(csvHead(columns))
    }
    const names = columns
    parts.push(rows.map((row) => csvLine(names.map((name) => cellOf((row as Record<string, unknown>)[name])))).join(''))
    done += rows.length
    onProgress(done, total)
  }
  return { file: new Blob(parts, { type: 'text/csv;charset=utf-8' }), rows: done }
}

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

/** Lines of a file, and how many cells each has. */
interface Lines {
  across: number
  lines: string[]
}

/** Lines that were written before a later row had more to say have an empty cell for it. */
const filled = ({ lines, across }: Lines, all: number): string[] => {
  const missing = ','.repeat(all - across)
  return missing ? lines.map((line) => line.replace(/\r\n$/, `${missing}\r\n`)) : lines
}

/** Rows as a CSV file whose columns are called as on the wire. Row by row becomes text, so that no second copy is held. */
export const tableFile = async <Row extends object>(
  portions: AsyncIterable<Portion<Row>>,
  onProgress: (done: number, total: number) => void,
): Promise<{ file: Blob; rows: number }> => {
  const columns: string[] = []
  const written: Lines[] = []
  let done = 0
  for await (const { rows, total } of portions) {
    columns.push(...columnsOf(rows).filter((name) => !columns.includes(name)))
    const cells = (row: Row) => columns.map((name) => cellOf((row as Record<string, unknown>)[name]))
    written.push({ across: columns.length, lines: rows.map((row) => csvLine(cells(row))) })
    done += rows.length
    onProgress(done, total)
  }
  const parts = written.flatMap((portion) => filled(portion, columns.length))
  return { file: new Blob([csvHead(columns), ...parts], { type: 'text/csv;charset=utf-8' }), rows: done }
}

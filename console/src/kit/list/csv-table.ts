import { formatCsvHeader, formatCsvLine } from '../../lib/csv'
import type { RowBatch } from './all-pages'

/** Secrets, which an exported file must not contain. */
const secret = /(password|secret|token|credential|_key|connection_string)$/

const columnsOf = (rows: readonly object[]) =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !secret.test(name))

const omitSecret = (name: string, value: unknown) => (secret.test(name) ? undefined : value)

/** A webhook becomes its URL, any other object its JSON. */
const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  const url = typeof value === 'object' && 'url' in value ? value.url : undefined
  return typeof url === 'string' ? url : JSON.stringify(value, omitSecret)
}

/** Lines of a file, and their number of cells. */
interface Lines {
  across: number
  lines: string[]
}

/** Adds empty cells to lines from before a later row added columns. */
const padLines = ({ lines, across }: Lines, all: number): string[] => {
  const missing = ','.repeat(all - across)
  return missing ? lines.map((line) => line.replace(/\r\n$/, `${missing}\r\n`)) : lines
}

/**
 * Converts rows to a CSV file with wire names as column names. Each row becomes text immediately, so that memory holds
 * no second copy of the rows.
 */
export const createCsvFile = async <Row extends object>(
  portions: AsyncIterable<RowBatch<Row>>,
  onProgress: (done: number, total: number) => void,
): Promise<{ file: Blob; rows: number }> => {
  const columns: string[] = []
  const written: Lines[] = []
  let done = 0
  for await (const { rows, total } of portions) {
    columns.push(...columnsOf(rows).filter((name) => !columns.includes(name)))
    const cells = (row: Row) => columns.map((name) => cellOf((row as Record<string, unknown>)[name]))
    written.push({ across: columns.length, lines: rows.map((row) => formatCsvLine(cells(row))) })
    done += rows.length
    onProgress(done, total)
  }
  const parts = written.flatMap((portion) => padLines(portion, columns.length))
  return { file: new Blob([formatCsvHeader(columns), ...parts], { type: 'text/csv;charset=utf-8' }), rows: done }
}

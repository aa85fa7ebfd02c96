import { formatCsvHeader, formatCsvLine } from '../../lib/csv'
import { isSecretColumn, omitSecret } from '../../lib/secret-columns'
import type { RowBatch } from './all-pages'
import { downloadFile } from '../../lib/download-file'

/** An exported file contains no secrets. */
const getColumnNames = (rows: readonly object[]) =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !isSecretColumn(name))

/** A webhook becomes its URL, any other object its JSON. */
const formatCell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  const url = typeof value === 'object' && 'url' in value ? value.url : undefined
  return typeof url === 'string' ? url : JSON.stringify(value, omitSecret)
}

/** Lines of a file with the same number of cells. */
interface LineBatch {
  cellCount: number
  lines: string[]
}

/** Adds empty cells to lines from before a later row added columns. */
const padLines = ({ lines, cellCount }: LineBatch, columnCount: number): string[] => {
  const emptyCells = ','.repeat(columnCount - cellCount)
  return emptyCells ? lines.map((line) => line.replace(/\r\n$/, `${emptyCells}\r\n`)) : lines
}

/**
 * Converts rows to a CSV file with wire names as column names. Each row becomes text immediately, so that memory holds
 * no second copy of the rows.
 */
export const createCsvFile = async <Row extends object>(
  batches: AsyncIterable<RowBatch<Row>>,
  onProgress: (rowCount: number, total: number) => void,
): Promise<{ file: Blob; rowCount: number }> => {
  const columns: string[] = []
  const lineBatches: LineBatch[] = []
  let rowCount = 0
  for await (const { rows, total } of batches) {
    columns.push(...getColumnNames(rows).filter((name) => !columns.includes(name)))
    const formatCells = (row: Row) => columns.map((name) => formatCell((row as Record<string, unknown>)[name]))
    lineBatches.push({ cellCount: columns.length, lines: rows.map((row) => formatCsvLine(formatCells(row))) })
    rowCount += rows.length
    onProgress(rowCount, total)
  }
  const lines = lineBatches.flatMap((batch) => padLines(batch, columns.length))
  return { file: new Blob([formatCsvHeader(columns), ...lines], { type: 'text/csv;charset=utf-8' }), rowCount }
}

const toFileName = (noun: string) =>
  `${noun.toLowerCase().replace(/\W+/g, '-')}-${new Date().toISOString().slice(0, 10)}.csv`

/** Downloads rows as a CSV file that is named after them. Returns their number. */
export const downloadCsvFile = async <Row extends object>(
  noun: string,
  ...[batches, onProgress]: Parameters<typeof createCsvFile<Row>>
): Promise<number> => {
  const { file, rowCount } = await createCsvFile(batches, onProgress)
  downloadFile(file, toFileName(noun))
  return rowCount
}

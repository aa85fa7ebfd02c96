/** Reads and writes CSV as in RFC 4180 and as spreadsheets use it. */

/** The byte order mark. Without it, Excel reads the file in a legacy encoding. */
const mark = '\ufeff'

/** Cells that a spreadsheet would run as a formula. Export adds an apostrophe before them; import removes it. */
const formula = /^'*[=+\-@\t\r]/
const guarded = /^'(?='*[=+\-@\t\r])/

const quoted = (cell: string) => (/[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)

/** Formats one CSV line, with its line break. */
export const formatCsvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(formula.test(cell) && !/^[+-]?\d+$/.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`

/** The start of a CSV file: byte order mark and header line. */
export const formatCsvHeader = (names: readonly string[]): string => mark + formatCsvLine(names)

/** Picks the separator that occurs most often in the first line. */
const separatorOf = (text: string) => {
  const first = /[^\r\n]+/.exec(text)?.[0] ?? ''
  const count = (sign: string) => first.split(sign).length
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0]!
}

/** A line of a file as cells, and the line number where it starts, counted from 1. */
export interface CsvLine {
  line: number
  cells: string[]
}

const breaks = /\r\n|\n|\r/g

/** Parses the lines of a file and skips empty ones. An unclosed quote extends to the end of the file. */
export const parseCsv = (file: string): CsvLine[] => {
  const text = file.startsWith(mark) ? file.slice(1) : file
  const separator = separatorOf(text)
  const lines: CsvLine[] = []
  let cells: string[] = []
  let line = 1
  let next = 1
  // a quoted or unquoted cell, and the separator or line break after it
  const cell = new RegExp(`(?:"((?:[^"]|"")*)(?:"|$)|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`, 'y')
  while (cell.lastIndex < text.length || cells.length > 0) {
    const found = cell.exec(text)
    if (!found) break
    const [whole, inQuotes, plain = '', end] = found
    next += whole.match(breaks)?.length ?? 0
    cells.push((inQuotes === undefined ? plain.trim() : inQuotes.replace(/""/g, '"')).replace(guarded, ''))
    if (end === separator) continue
    if (cells.some((each) => each !== '')) lines.push({ line, cells })
    cells = []
    line = next
    if (end === '') break
  }
  return lines
}

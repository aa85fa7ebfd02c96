/** Tables as text: RFC 4180, as spreadsheets read and write it. */

/** Excel takes a file for its own old encoding unless it begins so. */
const mark = '\ufeff'

/** What a spreadsheet would take for a formula; the apostrophe tells it not to, and is taken off again here. */
const formula = /^'*[=+\-@\t\r]/
const guarded = /^'(?='*[=+\-@\t\r])/

const quoted = (cell: string) => (/[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)

/** One line, with its end. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(formula.test(cell) && !/^[+-]?\d+$/.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`

/** The beginning of a file: the names of its columns. */
export const csvHead = (names: readonly string[]): string => mark + csvLine(names)

/** Of the signs that part cells, the one that the first line has most of. */
const separatorOf = (text: string) => {
  const first = /[^\r\n]+/.exec(text)?.[0] ?? ''
  const count = (sign: string) => first.split(sign).length
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0]!
}

/** A line of a file as cells, and where it begins: in a file, lines are counted from 1. */
export interface CsvLine {
  line: number
  cells: string[]
}

const breaks = /\r\n|\n|\r/g

/** The lines of a file, without empty ones. A quote that nobody closes goes to the end. */
export const parseCsv = (file: string): CsvLine[] => {
  const text = file.startsWith(mark) ? file.slice(1) : file
  const separator = separatorOf(text)
  const lines: CsvLine[] = []
  let cells: string[] = []
  let line = 1
  let next = 1
  // a cell in quotes, or one without, and what ends it
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

/** Reads and writes CSV as in RFC 4180 and as spreadsheets use it. */

/** The byte order mark. Without it, Excel reads the file in a legacy encoding. */
const byteOrderMark = '\ufeff'

/** Cells that a spreadsheet would run as a formula. Export adds an apostrophe before them; import removes it. */
const formulaStart = /^'*[=+\-@\t\r]/
const escapedFormulaStart = /^'(?='*[=+\-@\t\r])/

const quoteIfNeeded = (cell: string) => (/[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)

/** Formats one CSV line, with its line break. */
export const formatCsvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoteIfNeeded(formulaStart.test(cell) && !/^[+-]?\d+$/.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`

/** The start of a CSV file: byte order mark and header line. */
export const formatCsvHeader = (names: readonly string[]): string => byteOrderMark + formatCsvLine(names)

/** A quoted cell. The quote must follow a separator or a line break: elsewhere in a cell it is text. */
const quotedCell = /(?<![^,;\t\r\n])"[^"]*(?:""[^"]*)*(?:"|$)/g

/** Picks the separator that occurs most often in the first line, outside quotes. */
const detectSeparator = (text: string) => {
  const firstLine = /[^\r\n]+/.exec(text.replace(quotedCell, '""'))?.[0] ?? ''
  const count = (separator: string) => firstLine.split(separator).length
  return [',', ';', '\t'].toSorted((first, second) => count(second) - count(first))[0]!
}

/** A line of a file as cells, and the line number where it starts, counted from 1. */
export interface CsvLine {
  line: number
  cells: string[]
}

const lineBreaks = /\r\n|\n|\r/g

/** Parses the lines of a file and skips empty ones. An unclosed quote extends to the end of the file. */
export const parseCsv = (file: string): CsvLine[] => {
  const text = file.startsWith(byteOrderMark) ? file.slice(1) : file
  const separator = detectSeparator(text)
  const lines: CsvLine[] = []
  let cells: string[] = []
  let line = 1
  let nextLine = 1
  // a quoted or unquoted cell, and the separator or line break after it
  const cellPattern = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$)|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`,
    'y',
  )
  while (cellPattern.lastIndex < text.length || cells.length > 0) {
    const match = cellPattern.exec(text)
    if (!match) break
    const [matchedText, quotedText, unquotedText = '', terminator] = match
    nextLine += matchedText.match(lineBreaks)?.length ?? 0
    cells.push(
      (quotedText === undefined ? unquotedText.trim() : quotedText.replace(/""/g, '"')).replace(
        escapedFormulaStart,
        '',
      ),
    )
    if (terminator === separator) continue
    if (cells.some((cell) => cell !== '')) lines.push({ line, cells })
    cells = []
    line = nextLine
    if (terminator === '') break
  }
  return lines
}

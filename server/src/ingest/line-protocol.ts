import type { Point } from '../ports/call-history'

/** A line as a point of a measurement. `timeNs` is absent if the line has no timestamp. */
export interface ParsedLine {
  /** Starts at 1. */
  line: number
  measurement: string
  point: Omit<Point, 'timeNs'> & { timeNs?: bigint }
}

export interface LineError {
  line: number
  reason: string
}

/** Nanoseconds per unit, by the value of the `precision` parameter. */
export const nsByPrecision = new Map(
  Object.entries({
    n: 1n,
    ns: 1n,
    u: 1_000n,
    us: 1_000n,
    µ: 1_000n,
    ms: 1_000_000n,
    s: 1_000_000_000n,
    m: 60_000_000_000n,
    h: 3_600_000_000_000n,
  }),
)

/** The number of errors that are reported in full. A body may contain millions. */
export const maxReportedErrors = 10

/** A line that cannot be parsed. Has no stack trace, because creating one takes longer than parsing. */
class LineSyntaxError extends Error {
  constructor(reason: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(reason)
    Error.stackTraceLimit = stackTraceLimit
  }
}

const throwSyntaxError = (reason: string): never => {
  throw new LineSyntaxError(reason)
}

/** Parses one line in a single pass. */
class LineReader {
  position = 0

  constructor(readonly text: string) {}

  get char(): string | undefined {
    return this.text[this.position]
  }

  isAt(char: string): boolean {
    return this.char === char
  }

  /** Reads up to one of these characters. A backslash escapes them. */
  readToken(terminators: string): string {
    let token = ''
    for (let char = this.char; char !== undefined && !terminators.includes(char); char = this.char) {
      const next = this.text[this.position + 1]
      if (char === '\\' && next !== undefined && ',= '.includes(next)) {
        token += next
        this.position += 2
      } else {
        token += char
        this.position += 1
      }
    }
    return token
  }

  /** Reads a quoted string; the position is at its opening quote. */
  readQuoted(): string {
    let text = ''
    for (this.position += 1; this.char !== '"'; this.position += 1) {
      if (this.char === undefined) throwSyntaxError('unbalanced quotes')
      const next = this.text[this.position + 1]
      if (this.char === '\\' && (next === '"' || next === '\\')) this.position += 1
      text += this.char
    }
    this.position += 1
    return text
  }

  skipSpaces(): void {
    while (this.char === ' ') this.position += 1
  }
}

const readTags = (reader: LineReader): Record<string, string> => {
  const tags: Record<string, string> = {}
  while (reader.isAt(',')) {
    reader.position += 1
    const name = reader.readToken(',= ')
    if (name === '') throwSyntaxError('missing tag key')
    if (!reader.isAt('=')) throwSyntaxError('missing tag value')
    reader.position += 1
    const value = reader.readToken(',= ')
    if (reader.isAt('=')) throwSyntaxError('invalid tag format')
    if (value === '') throwSyntaxError('missing tag value')
    Object.defineProperty(tags, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return tags
}

const booleans: Record<string, boolean> = {
  t: true,
  T: true,
  true: true,
  True: true,
  TRUE: true,
  f: false,
  F: false,
  false: false,
  False: false,
  FALSE: false,
}

/** There is only one way to match any text, so matching takes linear time. */
const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

const parseValue = (text: string): number | boolean => {
  if (text === '') throwSyntaxError('missing field value')
  const isTrue = Object.hasOwn(booleans, text) ? booleans[text] : undefined
  if (isTrue !== undefined) return isTrue
  const integer = /^([+-]?\d+)[iu]$/.exec(text)?.[1]
  const value = integer !== undefined || numberPattern.test(text) ? Number(integer ?? text) : NaN
  return Number.isFinite(value) ? value : throwSyntaxError('invalid number')
}

const readFields = (reader: LineReader): Point['fields'] => {
  const fields: Point['fields'] = {}
  do {
    if (reader.isAt(',')) reader.position += 1
    const name = reader.readToken(',= ')
    if (name === '') throwSyntaxError('missing field key')
    if (!reader.isAt('=')) throwSyntaxError('missing field value')
    reader.position += 1
    const value = reader.isAt('"') ? reader.readQuoted() : parseValue(reader.readToken(', '))
    if (reader.char !== undefined && !reader.isAt(',') && !reader.isAt(' ')) throwSyntaxError('invalid field format')
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
  } while (reader.isAt(','))
  return fields
}

const readTime = (reader: LineReader, nsPerUnit: bigint): bigint | undefined => {
  reader.skipSpaces()
  const text = reader.text.slice(reader.position).trimEnd()
  if (text === '') return undefined
  return /^-?\d{1,19}$/.test(text) ? BigInt(text) * nsPerUnit : throwSyntaxError('bad timestamp')
}

const parseLine = (text: string, line: number, nsPerUnit: bigint): ParsedLine => {
  const reader = new LineReader(text)
  reader.skipSpaces()
  const measurement = reader.readToken(', ')
  if (measurement === '') throwSyntaxError('missing measurement')
  const tags = readTags(reader)
  reader.skipSpaces()
  if (reader.char === undefined) throwSyntaxError('missing fields')
  const fields = readFields(reader)
  const timeNs = readTime(reader, nsPerUnit)
  return { line, measurement, point: { tags, fields, ...(timeNs === undefined ? {} : { timeNs }) } }
}

/** Tracks whether a position is inside a quoted string, where a line break does not end the line. */
class QuoteTracker {
  private isQuoted = false
  private isAfterEquals = false
  private hasStarted = false
  private isInFields = false

  /** Handles one unescaped character. */
  advance(char: string): void {
    // Quotes only have a meaning at the start of a field value, and fields start after the first space.
    if (char === '"' && (this.isQuoted || (this.isInFields && this.isAfterEquals))) this.isQuoted = !this.isQuoted
    this.isAfterEquals = char === '='
    if (char === ' ') this.isInFields ||= this.hasStarted
    else this.hasStarted = true
  }

  get isInQuotes(): boolean {
    return this.isQuoted
  }
}

/** Finds the end of the line that starts at `start`. */
const findLineEnd = (text: string, start: number): number => {
  const end = text.indexOf('\n', start)
  const firstLine = text.slice(start, end < 0 ? text.length : end)
  if (!/["\\]/.test(firstLine)) return start + firstLine.length
  const tracker = new QuoteTracker()
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] !== '\n' || tracker.isInQuotes) tracker.advance(text[index]!)
    else return index
  }
  return text.length
}

export const countLineBreaks = (text: string): number => {
  let count = 0
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count += 1
  return count
}

function* splitLines(text: string): Generator<{ text: string; line: number }> {
  for (let start = 0, line = 1; start <= text.length;) {
    const end = findLineEnd(text, start)
    const lineText = text.slice(start, end)
    yield { text: lineText, line }
    start = end + 1
    line += 1 + countLineBreaks(lineText)
  }
}

const formatParseError = (text: string, line: number, reason: string) =>
  `unable to parse line ${line} '${text.length > 60 ? `${text.slice(0, 60)}…` : text}': ${reason}`

/** Lines and characters per batch. Other requests run between batches. */
const maxBatchLines = 1000
const maxBatchChars = 256 * 1024
/** Maximum characters of a line, as of a string in InfluxDB. Lists return hundreds of complete records. */
export const maxLineLength = 64 * 1024

export interface ParsedBatch {
  lines: ParsedLine[]
  errors: LineError[]
}

const parseLimitedLine = (text: string, line: number, nsPerUnit: bigint): ParsedLine =>
  text.length > maxLineLength
    ? throwSyntaxError(`longer than ${maxLineLength} characters`)
    : parseLine(text, line, nsPerUnit)

/** Reads points in InfluxDB's line protocol, in batches. Lines with errors are reported by number; the others are returned. */
export function* readLines(body: string, nsPerUnit: bigint): Generator<ParsedBatch> {
  let batch: ParsedBatch = { lines: [], errors: [] }
  let [lines, chars, reportedErrors] = [0, 0, 0]
  const parse = (text: string, line: number) => {
    if (text === '' || text.startsWith('#')) return
    try {
      batch.lines.push(parseLimitedLine(text, line, nsPerUnit))
    } catch (error) {
      if (!(error instanceof LineSyntaxError)) throw error
      batch.errors.push({
        line,
        reason: reportedErrors < maxReportedErrors ? formatParseError(text, line, error.message) : '',
      })
      reportedErrors += 1
    }
  }
  for (const { text, line } of splitLines(body)) {
    parse(text.trim(), line)
    lines += 1
    chars += text.length
    if (lines < maxBatchLines && chars < maxBatchChars) continue
    yield batch
    batch = { lines: [], errors: [] }
    lines = chars = 0
  }
  yield batch
}

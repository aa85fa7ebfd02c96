import type { Point } from '../ports/call-history'

/** What a line says: a point of a measurement. `time` is absent where the line has none. */
export interface Said {
  /** From 1. */
  line: number
  measurement: string
  point: Omit<Point, 'time'> & { time?: bigint }
}

export interface Fault {
  line: number
  reason: string
}

/** Nanoseconds of one unit, by the word for it in the query. */
export const precisions: Record<string, bigint> = {
  n: 1n,
  ns: 1n,
  u: 1_000n,
  us: 1_000n,
  µ: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

/** Faults that are told at once. A body may have millions, so no others are put into words. */
export const mostFaults = 10

/** A line that cannot be read; the message says why. Where it was thrown nobody asks, and to find out takes longer than to read. */
class Unreadable extends Error {
  constructor(reason: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(reason)
    Error.stackTraceLimit = stackTraceLimit
  }
}

const fail = (reason: string): never => {
  throw new Unreadable(reason)
}

/** Reads one line from left to right; every step moves on, so that a line is read in one pass. */
class Reader {
  at = 0

  constructor(readonly text: string) {}

  get sign(): string | undefined {
    return this.text[this.at]
  }

  is(sign: string): boolean {
    return this.sign === sign
  }

  /** Text up to one of these signs, which a backslash makes plain. */
  word(ends: string): string {
    let word = ''
    for (let sign = this.sign; sign !== undefined && !ends.includes(sign); sign = this.sign) {
      const next = this.text[this.at + 1]
      if (sign === '\\' && next !== undefined && ',= '.includes(next)) {
        word += next
        this.at += 2
      } else {
        word += sign
        this.at += 1
      }
    }
    return word
  }

  /** Text in quotes; the reader stands on the first of them. */
  quoted(): string {
    let text = ''
    for (this.at += 1; this.sign !== '"'; this.at += 1) {
      if (this.sign === undefined) fail('unbalanced quotes')
      const next = this.text[this.at + 1]
      if (this.sign === '\\' && (next === '"' || next === '\\')) this.at += 1
      text += this.sign
    }
    this.at += 1
    return text
  }

  blanks(): void {
    while (this.sign === ' ') this.at += 1
  }
}

const tagsOf = (reader: Reader): Record<string, string> => {
  const tags: Record<string, string> = {}
  while (reader.is(',')) {
    reader.at += 1
    const name = reader.word(',= ')
    if (name === '') fail('missing tag key')
    if (!reader.is('=')) fail('missing tag value')
    reader.at += 1
    const value = reader.word(',= ')
    if (reader.is('=')) fail('invalid tag format')
    if (value === '') fail('missing tag value')
    Object.defineProperty(tags, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return tags
}

const words: Record<string, boolean> = {
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

/** In one way only can a text fit, or one of many digits is tried in all of them. */
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

const plainValue = (text: string): number | boolean => {
  if (text === '') fail('missing field value')
  const word = Object.hasOwn(words, text) ? words[text] : undefined
  if (word !== undefined) return word
  const whole = /^([+-]?\d+)[iu]$/.exec(text)?.[1]
  const value = whole !== undefined || number.test(text) ? Number(whole ?? text) : NaN
  return Number.isFinite(value) ? value : fail('invalid number')
}

const fieldsOf = (reader: Reader): Point['fields'] => {
  const fields: Point['fields'] = {}
  do {
    if (reader.is(',')) reader.at += 1
    const name = reader.word(',= ')
    if (name === '') fail('missing field key')
    if (!reader.is('=')) fail('missing field value')
    reader.at += 1
    const value = reader.is('"') ? reader.quoted() : plainValue(reader.word(', '))
    if (reader.sign !== undefined && !reader.is(',') && !reader.is(' ')) fail('invalid field format')
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
  } while (reader.is(','))
  return fields
}

const timeOf = (reader: Reader, unit: bigint): bigint | undefined => {
  reader.blanks()
  const text = reader.text.slice(reader.at).trimEnd()
  if (text === '') return undefined
  return /^-?\d{1,19}$/.test(text) ? BigInt(text) * unit : fail('bad timestamp')
}

const lineAt = (text: string, line: number, unit: bigint): Said => {
  const reader = new Reader(text)
  reader.blanks()
  const measurement = reader.word(', ')
  if (measurement === '') fail('missing measurement')
  const tags = tagsOf(reader)
  reader.blanks()
  if (reader.sign === undefined) fail('missing fields')
  const fields = fieldsOf(reader)
  const time = timeOf(reader, unit)
  return { line, measurement, point: { tags, fields, ...(time === undefined ? {} : { time }) } }
}

/** Where in a line a sign stands: whether it ends the line depends on it. */
class Place {
  private quoted = false
  private value = false
  private begun = false
  private fields = false

  /** Moves behind a sign that nothing precedes which would make it plain. */
  pass(sign: string): void {
    // quotes mean something only where the value of a field begins, and fields come after the first blank
    if (sign === '"' && (this.quoted || (this.fields && this.value))) this.quoted = !this.quoted
    this.value = sign === '='
    if (sign === ' ') this.fields ||= this.begun
    else this.begun = true
  }

  get open(): boolean {
    return this.quoted
  }
}

/** Where a line ends that begins here: outside of quotes only, so that a text may go over several. */
const endOf = (text: string, begin: number): number => {
  const end = text.indexOf('\n', begin)
  const near = text.slice(begin, end < 0 ? text.length : end)
  if (!/["\\]/.test(near)) return begin + near.length
  const place = new Place()
  for (let at = begin; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] !== '\n' || place.open) place.pass(text[at]!)
    else return at
  }
  return text.length
}

const breaksIn = (text: string): number => {
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1
  return breaks
}

function* linesOf(text: string): Generator<{ text: string; line: number }> {
  for (let begin = 0, line = 1; begin <= text.length;) {
    const end = endOf(text, begin)
    const found = text.slice(begin, end)
    yield { text: found, line }
    begin = end + 1
    line += 1 + breaksIn(found)
  }
}

const reasonOf = (text: string, line: number, why: string) =>
  `unable to parse line ${line} '${text.length > 60 ? `${text.slice(0, 60)}…` : text}': ${why}`

/** Lines and characters that are read at once: whoever reads more lets others have their turn in between. */
const linesAtOnce = 1000
const signsAtOnce = 256 * 1024
/** Characters of a line, as many as a text of InfluxDB has at most: lists show hundreds of records, each of them whole. */
export const longestLine = 64 * 1024

export interface Part {
  said: Said[]
  faults: Fault[]
}

const pointAt = (text: string, line: number, unit: bigint): Said =>
  text.length > longestLine ? fail(`longer than ${longestLine} characters`) : lineAt(text, line, unit)

/**
 * Reads points in InfluxDB's line protocol, a part of the lines at a time. What cannot be read is named by its line; the
 * other lines count.
 */
export function* readLines(body: string, unit: bigint): Generator<Part> {
  let part: Part = { said: [], faults: [] }
  let [lines, signs, named] = [0, 0, 0]
  const read = (text: string, line: number) => {
    if (text === '' || text.startsWith('#')) return
    try {
      part.said.push(pointAt(text, line, unit))
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      part.faults.push({ line, reason: named < mostFaults ? reasonOf(text, line, error.message) : '' })
      named += 1
    }
  }
  for (const { text, line } of linesOf(body)) {
    read(text.trim(), line)
    lines += 1
    signs += text.length
    if (lines < linesAtOnce && signs < signsAtOnce) continue
    yield part
    part = { said: [], faults: [] }
    lines = signs = 0
  }
  yield part
}

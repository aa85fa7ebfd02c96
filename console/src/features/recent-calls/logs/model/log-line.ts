/** A line of a log, as far as it can be read. Most are JSON objects, under the names of the logger that wrote them. */
export interface LogLine {
  /** As it was written. */
  text: string
  /** Milliseconds since 1970. */
  time?: number
  level?: LogLevel
  /** What it says; the whole of it where it says so nowhere. */
  title: string
  /** Its other fields in short, without those that every line of a call has. */
  aside: string
  /** All fields, for a person to read; undefined for a line that is no JSON object. */
  fields?: string
}

/** From the least to the worst. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof logLevels)[number]

/** Does this level ask for attention? */
export const isTrouble = (level: LogLevel | undefined): boolean =>
  level === 'warn' || level === 'error' || level === 'fatal'

/** Loggers count levels in tens, or name them. */
const levelOf = (level: unknown): LogLevel | undefined => {
  if (typeof level === 'number') return logLevels[Math.ceil(level / 10) - 1] ?? (level > 60 ? 'fatal' : undefined)
  if (typeof level !== 'string') return undefined
  const name = level.toLowerCase()
  return logLevels.find((each) => each === name) ?? (name === 'warning' ? 'warn' : undefined)
}

const timeOf = (time: unknown): number | undefined => {
  const value = typeof time === 'string' ? Date.parse(time) : time
  return typeof value === 'number' && Math.abs(value) <= 8.64e15 ? value : undefined
}

/** What is said in a place of its own, what is the same on each line of a call, and what tells of the machine only. */
const elsewhere = new Set([
  ...['level', 'time', 'timestamp', 'msg', 'message', 'v', 'pid', 'hostname'],
  ...['callSid', 'callId', 'accountSid', 'account_sid', 'traceId'],
])

/** As much as a row shows. */
const mostAside = 300

const short = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Reads a line. */
export const logLineOf = (text: string): LogLine => {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    said = undefined
  }
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return { text, title: text.trim(), aside: '' }
  const fields = said as Record<string, unknown>
  const time = timeOf(fields.time ?? fields.timestamp)
  const level = levelOf(fields.level)
  const words = fields.msg ?? fields.message
  const aside = Object.entries(fields)
    .filter(([name, value]) => !elsewhere.has(name) && value !== null && value !== '')
    .map(([name, value]) => `${name}=${short(value)}`)
    .join(' ')
  return {
    text,
    ...(time === undefined ? {} : { time }),
    ...(level ? { level } : {}),
    title: typeof words === 'string' ? words : '',
    aside: aside.slice(0, mostAside),
    fields: JSON.stringify(fields, null, 2),
  }
}

/** A parsed log line. Most lines are JSON objects, with the field names of the logger that wrote them. */
export interface LogLine {
  /** The original line. */
  text: string
  /** Milliseconds since 1970. */
  time?: number
  level?: LogLevel
  /** The message; the whole line if it is not a JSON object. */
  title: string
  /** A summary of the other fields, without those that all lines of a call have. */
  fieldSummary: string
  /** All fields as formatted JSON; undefined if the line is not a JSON object. */
  fields?: string
}

/** In order of severity. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof logLevels)[number]

/** Whether lines of this level need attention. */
export const needsAttention = (level: LogLevel | undefined): boolean =>
  level === 'warn' || level === 'error' || level === 'fatal'

/** Loggers write levels as multiples of ten or as names. */
const parseLevel = (level: unknown): LogLevel | undefined => {
  if (typeof level === 'number') return logLevels[Math.ceil(level / 10) - 1] ?? (level > 60 ? 'fatal' : undefined)
  if (typeof level !== 'string') return undefined
  const name = level.toLowerCase()
  return logLevels.find((candidate) => candidate === name) ?? (name === 'warning' ? 'warn' : undefined)
}

const parseTime = (time: unknown): number | undefined => {
  const value = typeof time === 'string' ? Date.parse(time) : time
  return typeof value === 'number' && Math.abs(value) <= 8.64e15 ? value : undefined
}

/** Fields that are shown elsewhere, that all lines of a call share, or that describe only the machine. */
const hiddenFields = new Set([
  ...['level', 'time', 'timestamp', 'msg', 'message', 'v', 'pid', 'hostname'],
  ...['callSid', 'callId', 'accountSid', 'account_sid', 'traceId'],
])

/** Maximum number of characters that a row can show. */
export const maxRowTextLength = 300

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Parses a log line. */
export const parseLogLine = (text: string): LogLine => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    parsed = undefined
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { text, title: text.trim(), fieldSummary: '' }
  const fields = parsed as Record<string, unknown>
  const time = parseTime(fields.time ?? fields.timestamp)
  const level = parseLevel(fields.level)
  const message = fields.msg ?? fields.message
  const fieldSummary = Object.entries(fields)
    .filter(([name, value]) => !hiddenFields.has(name) && value !== null && value !== '')
    .map(([name, value]) => `${name}=${formatValue(value)}`)
    .join(' ')
  return {
    text,
    ...(time === undefined ? {} : { time }),
    ...(level ? { level } : {}),
    title: typeof message === 'string' ? message : '',
    fieldSummary: fieldSummary.slice(0, maxRowTextLength),
    fields: JSON.stringify(fields, null, 2),
  }
}

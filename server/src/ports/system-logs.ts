/** A search for the lines that contain an identifier of the call, in a time range. */
export interface LogQuery extends CallLogIds {
  /** The name of a log group. */
  logGroup: string
  /** Milliseconds since 1970. */
  from: number
  /** Milliseconds since 1970. */
  to: number
}

/** The identifiers of a call in logs. */
export interface CallLogIds {
  callSid: string
  /** The Call-ID of its SIP dialog, if known. */
  callId?: string
}

export interface LogResult {
  /** In chronological order. */
  lines: string[]
  /** False if there are more lines. */
  isComplete: boolean
}

/** The logs of the platform's servers. Throws UnavailableError if they do not respond. */
export interface SystemLogs {
  findLines(query: LogQuery): Promise<LogResult>
}

const parseObject = (line: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const isSid = (sid: unknown): sid is string => typeof sid === 'string' && sid !== ''

/**
 * The lines that an account may see of its call. A log store searches by pattern, and a Call-ID may contain any character, so
 * the identifiers are compared again here. A line that names another account belongs to that account.
 */
export const filterAccountLines = (
  lines: readonly string[],
  { callSid, callId }: CallLogIds,
  account_sid: string,
): string[] =>
  lines.filter((line) => {
    const entry = parseObject(line)
    if (!entry || (entry.callSid !== callSid && (callId === undefined || entry.callId !== callId))) return false
    return [entry.accountSid, entry.account_sid].every(
      (sid) => !isSid(sid) || sid.toLowerCase() === account_sid.toLowerCase(),
    )
  })

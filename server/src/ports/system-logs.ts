/** What is looked for: lines that name this call, written in this time. */
export interface LogQuery extends CallLogIds {
  /** The name of a log group. */
  group: string
  /** Milliseconds since 1970. */
  from: number
  to: number
}

/** What a call goes by in logs. */
export interface CallLogIds {
  callSid: string
  /** The Call-ID of its SIP dialogue; absent: its SID alone tells what is of it. */
  callId?: string
}

export interface LogResult {
  /** In the order of time, as they were written. */
  lines: string[]
  /** Is that all there is? */
  complete: boolean
}

/** Where the platform's servers write down what they do. What does not answer is Unavailable. */
export interface SystemLogs {
  find(query: LogQuery): Promise<LogResult>
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
 * The lines that an account gets to see of its call. A store is asked in a language of patterns, and Call-IDs may hold any
 * character: what comes back is compared to the letter. A line that names another account is that account's.
 */
export const accountLines = (
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

/** What is looked for: lines that name this call, written in this time. */
export interface LogsWanted extends LogName {
  /** The name of a log group. */
  group: string
  /** Milliseconds since 1970. */
  from: number
  to: number
}

/** What a call goes by in logs. */
export interface LogName {
  callSid: string
  /** The Call-ID of its SIP dialogue; absent: its SID alone tells what is of it. */
  callId?: string
}

export interface FoundLogs {
  /** In the order of time, as they were written. */
  lines: string[]
  /** Is that all there is? */
  complete: boolean
}

/** Where the platform's servers write down what they do. What does not answer is Unavailable. */
export interface SystemLogs {
  find(wanted: LogsWanted): Promise<FoundLogs>
}

const objectOf = (line: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const named = (sid: unknown): sid is string => typeof sid === 'string' && sid !== ''

/**
 * The lines that an account gets to see of its call. A store is asked in a language of patterns, and Call-IDs may hold any
 * character: what comes back is compared to the letter. A line that names another account is that account's.
 */
export const linesFor = (lines: readonly string[], { callSid, callId }: LogName, account_sid: string): string[] =>
  lines.filter((line) => {
    const said = objectOf(line)
    if (!said || (said.callSid !== callSid && (callId === undefined || said.callId !== callId))) return false
    return [said.accountSid, said.account_sid].every(
      (sid) => !named(sid) || sid.toLowerCase() === account_sid.toLowerCase(),
    )
  })

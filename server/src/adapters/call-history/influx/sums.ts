import type { CallGroup, CallSum } from '../../../ports/call-history'
import type { Values } from './response'
import { parseNumber, answerDelayMs } from '../rows'

export const hasNoStatus = ({ sip_status }: Values) => (parseNumber(sip_status) ?? 0) === 0

/** The aggregate of a single call. */
export const sumOf = (values: Values): CallSum => {
  const { time, answered, sip_status, duration } = values
  const attemptedAt = Date.parse(String(time))
  const delay = answerDelayMs(values, attemptedAt)
  return {
    hour: Math.floor(attemptedAt / 3_600_000),
    answered: String(answered) === 'true',
    sip_status: parseNumber(sip_status) ?? 0,
    number: 1,
    seconds: Math.max(0, Math.round(parseNumber(duration) ?? 0)),
    timed: Number(delay !== null),
    delay: delay ?? 0,
  }
}

/** Groups calls by a column. Calls without a value are left out. */
export const groupCalls = (rows: readonly Values[], column: string): CallGroup[] => {
  const groups = new Map<string, CallGroup>()
  for (const row of rows) {
    const value = row[column]
    if (typeof value !== 'string' || value === '') continue
    const group = groups.get(value) ?? { value, number: 0, answered: 0 }
    group.number += 1
    group.answered += Number(String(row.answered) === 'true')
    groups.set(value, group)
  }
  return [...groups.values()]
}

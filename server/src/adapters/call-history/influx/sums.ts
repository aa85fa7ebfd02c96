import type { CallGroup, CallSum, TrunkCount } from '../../../ports/call-history'
import type { Values } from './response'
import { toComparableNumber } from '../comparable-number'
import { parseNumber, computeAnswerDelayMs } from '../rows'

export const hasNoStatus = ({ sip_status }: Values) => (parseNumber(sip_status) ?? 0) === 0

/** The time from attempt to answer; null if unknown. */
export const getAnswerDelayMs = (values: Values): number | null =>
  computeAnswerDelayMs(values, Date.parse(String(values.time)))

/** Converts a single call to an aggregate. */
export const toCallSum = (values: Values): CallSum => {
  const { time, answered, sip_status, duration } = values
  const delayMs = getAnswerDelayMs(values)
  return {
    hour: Math.floor(Date.parse(String(time)) / 3_600_000),
    answered: String(answered) === 'true',
    sip_status: parseNumber(sip_status) ?? 0,
    callCount: 1,
    totalSeconds: Math.max(0, Math.round(parseNumber(duration) ?? 0)),
    timedCallCount: Number(delayMs !== null),
    totalDelayMs: delayMs ?? 0,
  }
}

/** Groups calls by a column. Calls without a value are left out. */
export const groupCalls = (rows: readonly Values[], column: string): CallGroup[] => {
  const groups = new Map<string, CallGroup>()
  for (const row of rows) {
    const value = row[column]
    if (typeof value !== 'string' || value === '') continue
    const group = groups.get(value) ?? { value, callCount: 0, answeredCount: 0 }
    group.callCount += 1
    group.answeredCount += Number(String(row.answered) === 'true')
    groups.set(value, group)
  }
  return [...groups.values()]
}

/** Counts calls by trunk, hour and outcome. Calls without a trunk are left out. */
export const countByTrunk = (rows: readonly Values[]): TrunkCount[] => {
  const counts = new Map<string, TrunkCount>()
  for (const row of rows) {
    const { trunk } = row
    if (typeof trunk !== 'string' || trunk === '') continue
    const { hour, answered, sip_status } = toCallSum(row)
    const key = JSON.stringify([trunk, hour, answered, sip_status])
    const count = counts.get(key) ?? { trunk, hour, answered, sip_status, callCount: 0 }
    count.callCount += 1
    counts.set(key, count)
  }
  return [...counts.values()]
}

/** Counts the calls of phone numbers, in the order of the numbers. */
export const countByNumber = (rows: readonly Values[], numbers: readonly string[]): number[] => {
  const counts = new Map<string, number>()
  for (const { direction, from, to } of rows) {
    const number = toComparableNumber(String(direction === 'inbound' ? to : from))
    counts.set(number, (counts.get(number) ?? 0) + 1)
  }
  return numbers.map((number) => counts.get(toComparableNumber(number)) ?? 0)
}

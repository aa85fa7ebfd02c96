import type { CallSum } from '../../../ports/call-history'
import type { Values } from './response'
import { parseNumber, answerDelayMs } from '../rows'

export const isUnsaid = ({ sip_status }: Values) => (parseNumber(sip_status) ?? 0) === 0

/** One call, as a sum of one. */
export const sumOf = (values: Values): CallSum => {
  const { time, answered, sip_status, duration } = values
  const attempted = Date.parse(String(time))
  const delay = answerDelayMs(values, attempted)
  return {
    hour: Math.floor(attempted / 3_600_000),
    answered: String(answered) === 'true',
    sip_status: parseNumber(sip_status) ?? 0,
    number: 1,
    seconds: Math.max(0, Math.round(parseNumber(duration) ?? 0)),
    timed: Number(delay !== null),
    delay: delay ?? 0,
  }
}

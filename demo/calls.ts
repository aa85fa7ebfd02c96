import type { SeededRandom } from './seeded-random'

/** The source of calls: a phone number with its account and trunk. */
export interface CallSource {
  number: string
  account_sid: string
  application_sid: string | null
  /** The webhook URLs of the application. */
  call_hook: string | null
  call_status_hook: string | null
  trunk: string
  /** The gateway address of the trunk's carrier. */
  gateway: string
}

export interface Call extends CallSource {
  call_sid: string
  sip_callid: string
  trace_id: string
  direction: 'inbound' | 'outbound'
  from: string
  to: string
  /** Milliseconds since 1970. */
  at: number
  /** Seconds until the call was answered or abandoned. */
  ring: number
  /** Seconds of conversation; 0 if the call was not answered. */
  duration: number
  status: number
  terminationReason: string
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The relative traffic of each hour of a working day, from midnight. */
const hourlyTraffic = [1, 0.5, 0.4, 0.4, 0.6, 1.5, 4, 9, 17, 24, 26, 23, 16, 19, 24, 25, 22, 17, 11, 7, 5, 4, 3, 2]
const weekendFactor = 0.3

/** Outcomes of unanswered calls, repeated by their frequency. */
const failures = [
  ...Array.from({ length: 8 }, () => [487, 'caller hungup'] as const),
  ...Array.from({ length: 5 }, () => [486, 'called party busy'] as const),
  ...Array.from({ length: 4 }, () => [480, 'called party unavailable'] as const),
  ...Array.from({ length: 2 }, () => [404, 'number not found'] as const),
  [603, 'declined'] as const,
]

/** A carrier outage, in milliseconds since 1970. */
export interface Outage {
  trunk: string
  from: number
  to: number
}

/** Returns a call duration: many short ones and some long ones, with a median below a minute and a half. */
const randomDuration = (chance: SeededRandom) =>
  Math.max(4, Math.round(85 * Math.exp(1.1 * (chance.next() + chance.next() - 1) * 1.7)))

const randomNumber = (chance: SeededRandom, isOutbound: boolean) =>
  isOutbound && chance.percent(12)
    ? `44207946${String(chance.integer(0, 9999)).padStart(4, '0')}`
    : `1${chance.pick(['212', '617', '415', '303', '512', '206'])}55501${String(chance.integer(0, 99)).padStart(2, '0')}`

const randomOutcome = (chance: SeededRandom, isDown: boolean) => {
  if (isDown && chance.percent(85)) return { status: 503, terminationReason: 'service unavailable', duration: 0 }
  if (!chance.percent(81)) {
    const [status, terminationReason] = chance.pick(failures)
    return { status, terminationReason, duration: 0 }
  }
  return {
    status: 200,
    terminationReason: chance.pick(['caller hungup', 'caller hungup', 'called party hungup']),
    duration: randomDuration(chance),
  }
}

const callAt = (chance: SeededRandom, lines: readonly CallSource[], at: number, outages: readonly Outage[]): Call => {
  const line = chance.pick(lines)
  const outbound = chance.percent(27)
  const otherNumber = randomNumber(chance, outbound)
  const down = outages.some(({ trunk, from, to }) => trunk === line.trunk && at >= from && at < to)
  return {
    ...line,
    ...randomOutcome(chance, down),
    call_sid: chance.sid(),
    sip_callid: `${chance.hex(16)}@${line.gateway}`,
    trace_id: chance.hex(32),
    direction: outbound ? 'outbound' : 'inbound',
    from: outbound ? line.number : otherNumber,
    to: outbound ? otherNumber : line.number,
    at,
    ring: Math.round((outbound ? 1.5 + chance.next() * 7 : 0.3 + chance.next() * 2.2) * 1000) / 1000,
  }
}

/**
 * Generates the calls of the last `days` days, oldest first, with the hourly traffic of working days in the local time zone.
 * `callsPerWorkday`: the number of calls on a working day.
 */
export const callsOf = (
  chance: SeededRandom,
  {
    lines,
    now,
    days,
    callsPerWorkday,
    outages,
  }: { lines: readonly CallSource[]; now: number; days: number; callsPerWorkday: number; outages: readonly Outage[] },
): Call[] => {
  const totalTraffic = hourlyTraffic.reduce((sum, share) => sum + share, 0)
  const calls: Call[] = []
  const first = new Date(now - days * dayMs).setMinutes(0, 0, 0)
  for (let hour = first; hour < now; hour += hourMs) {
    const date = new Date(hour)
    const dayFactor = date.getDay() === 0 || date.getDay() === 6 ? weekendFactor : 1
    const expected = (callsPerWorkday * dayFactor * (hourlyTraffic[date.getHours()] ?? 0)) / totalTraffic
    const count = Math.floor(expected * (0.7 + chance.next() * 0.6) + chance.next())
    for (let one = 0; one < count; one += 1)
      calls.push(callAt(chance, lines, hour + chance.integer(0, hourMs - 1), outages))
  }
  // a record is written when its call has ended
  return calls.filter(({ at, ring, duration }) => at + (ring + duration) * 1000 < now).sort((a, b) => a.at - b.at)
}

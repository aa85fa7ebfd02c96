import type { Chance } from './seeded-random'

/** The source of calls: a phone number with its account and trunk. */
export interface Line {
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

export interface Call extends Line {
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
  reason: string
}

const hourLength = 3_600_000
const dayLength = 24 * hourLength

/** The relative traffic of each hour of a working day, from midnight. */
const rhythm = [1, 0.5, 0.4, 0.4, 0.6, 1.5, 4, 9, 17, 24, 26, 23, 16, 19, 24, 25, 22, 17, 11, 7, 5, 4, 3, 2]
const weekend = 0.3

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
const talk = (chance: Chance) => Math.max(4, Math.round(85 * Math.exp(1.1 * (chance.next() + chance.next() - 1) * 1.7)))

const stranger = (chance: Chance, outbound: boolean) =>
  outbound && chance.percent(12)
    ? `44207946${String(chance.whole(0, 9999)).padStart(4, '0')}`
    : `1${chance.pick(['212', '617', '415', '303', '512', '206'])}55501${String(chance.whole(0, 99)).padStart(2, '0')}`

const endOf = (chance: Chance, down: boolean) => {
  if (down && chance.percent(85)) return { status: 503, reason: 'service unavailable', duration: 0 }
  if (!chance.percent(81)) {
    const [status, reason] = chance.pick(failures)
    return { status, reason, duration: 0 }
  }
  return {
    status: 200,
    reason: chance.pick(['caller hungup', 'caller hungup', 'called party hungup']),
    duration: talk(chance),
  }
}

const callAt = (chance: Chance, lines: readonly Line[], at: number, outages: readonly Outage[]): Call => {
  const line = chance.pick(lines)
  const outbound = chance.percent(27)
  const other = stranger(chance, outbound)
  const down = outages.some(({ trunk, from, to }) => trunk === line.trunk && at >= from && at < to)
  return {
    ...line,
    ...endOf(chance, down),
    call_sid: chance.sid(),
    sip_callid: `${chance.hex(16)}@${line.gateway}`,
    trace_id: chance.hex(32),
    direction: outbound ? 'outbound' : 'inbound',
    from: outbound ? line.number : other,
    to: outbound ? other : line.number,
    at,
    ring: Math.round((outbound ? 1.5 + chance.next() * 7 : 0.3 + chance.next() * 2.2) * 1000) / 1000,
  }
}

/**
 * Generates the calls of the last `days` days, oldest first, with the rhythm of working days in the local time zone.
 * `busiest`: the number of calls on a working day.
 */
export const callsOf = (
  chance: Chance,
  {
    lines,
    now,
    days,
    busiest,
    outages,
  }: { lines: readonly Line[]; now: number; days: number; busiest: number; outages: readonly Outage[] },
): Call[] => {
  const all = rhythm.reduce((sum, share) => sum + share, 0)
  const calls: Call[] = []
  const first = new Date(now - days * dayLength).setMinutes(0, 0, 0)
  for (let hour = first; hour < now; hour += hourLength) {
    const then = new Date(hour)
    const quiet = then.getDay() === 0 || then.getDay() === 6 ? weekend : 1
    const expected = (busiest * quiet * (rhythm[then.getHours()] ?? 0)) / all
    const count = Math.floor(expected * (0.7 + chance.next() * 0.6) + chance.next())
    for (let one = 0; one < count; one += 1)
      calls.push(callAt(chance, lines, hour + chance.whole(0, hourLength - 1), outages))
  }
  // a record is written when its call has ended
  return calls.filter(({ at, ring, duration }) => at + (ring + duration) * 1000 < now).sort((a, b) => a.at - b.at)
}

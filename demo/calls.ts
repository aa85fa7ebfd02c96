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
  startedAtMs: number
  /** Seconds until the call was answered or abandoned. */
  ringSeconds: number
  /** Seconds of conversation; 0 if the call was not answered. */
  durationSeconds: number
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
  fromMs: number
  toMs: number
}

/** Returns a call duration: many short ones and some long ones, with a median below a minute and a half. */
const pickDurationSeconds = (random: SeededRandom) =>
  Math.max(4, Math.round(85 * Math.exp(1.1 * (random.next() + random.next() - 1) * 1.7)))

const pickNumber = (random: SeededRandom, isOutbound: boolean) =>
  isOutbound && random.chance(0.12)
    ? `44207946${String(random.integer(0, 9999)).padStart(4, '0')}`
    : `1${random.pick(['212', '617', '415', '303', '512', '206'])}55501${String(random.integer(0, 99)).padStart(2, '0')}`

const pickOutcome = (random: SeededRandom, isDown: boolean) => {
  if (isDown && random.chance(0.85))
    return { status: 503, terminationReason: 'service unavailable', durationSeconds: 0 }
  if (!random.chance(0.81)) {
    const [status, terminationReason] = random.pick(failures)
    return { status, terminationReason, durationSeconds: 0 }
  }
  return {
    status: 200,
    terminationReason: random.pick(['caller hungup', 'caller hungup', 'called party hungup']),
    durationSeconds: pickDurationSeconds(random),
  }
}

const generateCall = (
  random: SeededRandom,
  sources: readonly CallSource[],
  startedAtMs: number,
  outages: readonly Outage[],
): Call => {
  const source = random.pick(sources)
  const isOutbound = random.chance(0.27)
  const otherNumber = pickNumber(random, isOutbound)
  const isDown = outages.some(
    ({ trunk, fromMs, toMs }) => trunk === source.trunk && startedAtMs >= fromMs && startedAtMs < toMs,
  )
  return {
    ...source,
    ...pickOutcome(random, isDown),
    call_sid: random.sid(),
    sip_callid: `${random.hex(16)}@${source.gateway}`,
    trace_id: random.hex(32),
    direction: isOutbound ? 'outbound' : 'inbound',
    from: isOutbound ? source.number : otherNumber,
    to: isOutbound ? otherNumber : source.number,
    startedAtMs,
    ringSeconds: Math.round((isOutbound ? 1.5 + random.next() * 7 : 0.3 + random.next() * 2.2) * 1000) / 1000,
  }
}

/**
 * Generates the calls of the last `days` days, oldest first. The traffic follows the hours of a working day in the local
 * time zone.
 */
export const generateCalls = (
  random: SeededRandom,
  {
    sources,
    now,
    days,
    callsPerWorkday,
    outages,
  }: { sources: readonly CallSource[]; now: number; days: number; callsPerWorkday: number; outages: readonly Outage[] },
): Call[] => {
  const totalTraffic = hourlyTraffic.reduce((sum, share) => sum + share, 0)
  const calls: Call[] = []
  const firstHourMs = new Date(now - days * dayMs).setMinutes(0, 0, 0)
  for (let hourStartMs = firstHourMs; hourStartMs < now; hourStartMs += hourMs) {
    const date = new Date(hourStartMs)
    const dayFactor = date.getDay() === 0 || date.getDay() === 6 ? weekendFactor : 1
    const expected = (callsPerWorkday * dayFactor * (hourlyTraffic[date.getHours()] ?? 0)) / totalTraffic
    const count = Math.floor(expected * (0.7 + random.next() * 0.6) + random.next())
    for (let index = 0; index < count; index += 1)
      calls.push(generateCall(random, sources, hourStartMs + random.integer(0, hourMs - 1), outages))
  }
  // a record is written when its call has ended
  return calls
    .filter(
      ({ startedAtMs, ringSeconds, durationSeconds }) => startedAtMs + (ringSeconds + durationSeconds) * 1000 < now,
    )
    .sort((a, b) => a.startedAtMs - b.startedAtMs)
}

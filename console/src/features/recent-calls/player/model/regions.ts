import { silenceStart, type Peaks } from './peaks'
import type { Span, Trace } from '../../trace/model/span-tree'

/** The shortest that a latency and a key are drawn, in seconds. */
const leastLatency = 0.05
const leastDtmf = 0.1

/** The channel of who speaks to the platform. The platform, or whoever it connects, speaks on the other. */
export const callerChannel = 0
const platformChannel = 1

/** What was understood, or why nothing was. Latencies are seconds. */
export interface SpeechFacts {
  kind: 'stt'
  vendor?: string
  confidence?: number
  language?: string
  transcript: string
  latency?: number
}

/** A key that was pressed. */
export interface DtmfFacts {
  kind: 'dtmf'
  dtmf: string
  duration: string
}

/** How long it took until there was something to say. */
export interface TtsFacts {
  kind: 'tts'
  vendor: string
  latency: number
  cached: boolean
}

/** How long the application took to answer. */
export interface HookFacts {
  kind: 'hook'
  status: number
  latency: number
}

/** A stretch of a recording in which something is known to have happened. */
export interface Region {
  id: string
  /** Seconds of the recording. */
  start: number
  end: number
  channel: number
  /** Somebody waited here: drawn with the latencies only. */
  latency: boolean
  facts: SpeechFacts | DtmfFacts | TtsFacts | HookFacts
}

/** What is said in place of words that were not understood. */
export const unheard = {
  timeout: 'None (speech session timeout)',
  ended: 'None (call disconnected or speech session terminated)',
} as const

const attribute = ({ attributes }: Span, key: string): string | undefined =>
  attributes.find((each) => each.key === key)?.value

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined

interface Result {
  vendor?: { name?: unknown }
  language_code?: unknown
  alternatives?: { transcript?: unknown; confidence?: unknown }[]
}

const resultOf = (text: string | undefined): Result | undefined => {
  try {
    const found = JSON.parse(text ?? '') as Result | null
    return typeof found === 'object' && found !== null ? found : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

const heard = ({ vendor, language_code, alternatives }: Result): Omit<SpeechFacts, 'kind'> => {
  const first = Array.isArray(alternatives) ? alternatives[0] : undefined
  return {
    vendor: textOf(vendor?.name),
    language: textOf(language_code),
    confidence: typeof first?.confidence === 'number' ? first.confidence : undefined,
    transcript: textOf(first?.transcript) ?? '',
  }
}

/** A span with where it lies in the recording, in seconds. */
interface Look {
  span: Span
  /** All below it. */
  below: () => readonly Span[]
  start: number
  end: number
  peaks: Peaks | undefined
}

const lengthOf = (span: Span) => (span.end - span.start) / 1000

const atLeast = (start: number, length: number, least: number) => ({ start, end: start + Math.max(length, least) })

/** The channel that a span listened to for speech; undefined for one that did not. */
const channelOf = ({ name }: Span): number | undefined => {
  const number = /stt-listen:(\d+)/.exec(name)?.[1]
  if (number !== undefined) return Math.max(0, Number(number) - 1)
  return name.includes(':gather{') ? callerChannel : undefined
}

/** One that listens for keys only hears no speech, and one whose listening is a span of its own is told there. */
const isListening = ({ span, below }: Look) =>
  ['stt.result', 'stt.resolve'].some((key) => attribute(span, key) !== undefined) ||
  !(/inputs=(?!.*speech)/.test(span.name) || below().some(({ name }) => name.includes('stt-listen:')))

/**
 * From the last word until it was understood: as the voice server says, else as it is to be heard. The span ends with the
 * answer of the application, which is no part of it.
 */
const speechLatency = ({ span, below, start, end, peaks }: Look, channel: number) => {
  const hook = below().find(({ depth, name }) => depth === span.depth + 1 && name.includes('verb:hook'))
  const understood = end - (hook ? lengthOf(hook) : 0)
  const told = numberOf(attribute(span, 'stt.latency_ms'))
  const since = told === undefined ? peaks && silenceStart(peaks, channel, start, end) : understood - told / 1000
  return since === undefined ? undefined : { since, latency: told === undefined ? understood - since : told / 1000 }
}

const speech = (look: Look): Region[] => {
  const { span, start, end } = look
  const channel = channelOf(span)
  if (channel === undefined || !isListening(look)) return []
  const place = { id: span.id, ...atLeast(start, end - start, leastLatency), channel, latency: false }
  const result = resultOf(attribute(span, 'stt.result'))
  if (!result) {
    const transcript = attribute(span, 'stt.resolve') === 'timeout' ? unheard.timeout : unheard.ended
    return [{ ...place, facts: { kind: 'stt', transcript } }]
  }
  const waited = speechLatency(look, channel)
  if (!waited || waited.latency < 0) return [{ ...place, facts: { kind: 'stt', ...heard(result) } }]
  const facts: SpeechFacts = { kind: 'stt', ...heard(result), latency: waited.latency }
  const wait = {
    ...place,
    id: `${span.id} latency`,
    ...atLeast(waited.since, waited.latency, leastLatency),
    latency: true,
  }
  return [
    { ...place, facts },
    { ...wait, facts },
  ]
}

const keys = ({ span, start, end }: Look): Region[] => {
  if (!/(?:^|:)dtmf(?::|$)|dtmf:/.test(span.name)) return []
  const duration = attribute(span, 'duration') ?? ''
  const told = numberOf(/^\s*(\d+(?:\.\d+)?)\s*(?:ms\s*)?$/.exec(duration)?.[1])
  const length = told === undefined ? end - start : told / 1000
  const facts: DtmfFacts = { kind: 'dtmf', dtmf: attribute(span, 'dtmf') ?? '', duration }
  return [{ id: span.id, ...atLeast(start, length, leastDtmf), channel: callerChannel, latency: false, facts }]
}

/** Speech from the cache has a region as well: it is there at once, so it takes the shortest width. */
const utterance = ({ span, start, end }: Look): Region[] => {
  const cached = attribute(span, 'tts.cached') === 'true'
  if (!span.name.includes('tts-generation')) return []
  const told = numberOf(attribute(span, 'time_to_first_byte_ms'))
  const latency = told === undefined ? end - start : told / 1000
  const facts: TtsFacts = { kind: 'tts', vendor: attribute(span, 'tts.vendor') ?? '', latency, cached }
  return [{ id: span.id, ...atLeast(start, latency, leastLatency), channel: platformChannel, latency: true, facts }]
}

const answered = /"reason"\s*:\s*"(?:speech|dtmf)Detected"/

const answer = ({ span, start, end }: Look): Region[] => {
  if (!span.name.includes('verb:hook') || !answered.test(attribute(span, 'http.body') ?? '')) return []
  const facts: HookFacts = {
    kind: 'hook',
    status: numberOf(attribute(span, 'http.statusCode')) ?? 404,
    latency: end - start,
  }
  return [{ id: span.id, ...atLeast(start, end - start, leastLatency), channel: platformChannel, latency: true, facts }]
}

const kinds = [speech, keys, utterance, answer]

/**
 * What is known to have happened in a recording, in the order of time. Nothing where the trace does not say when the
 * recording began. `peaks`: what is to be heard, as far as it is known.
 */
export const regionsOf = ({ spans }: Trace, peaks?: Peaks): Region[] => {
  const origin = spans
    .filter(({ name }) => name.includes('background-record:listen'))
    .reduce<Span | undefined>((first, span) => (first && first.start <= span.start ? first : span), undefined)
  if (!origin) return []
  return spans
    .flatMap((span, at) => {
      const below = () => spans.slice(at + 1, at + 1 + span.below)
      const [start, end] = [(span.start - origin.start) / 1000, (span.end - origin.start) / 1000]
      return kinds.flatMap((kind) => kind({ span, below, start, end, peaks }))
    })
    .filter(({ end }) => end > 0)
    .sort((one, other) => one.start - other.start)
}

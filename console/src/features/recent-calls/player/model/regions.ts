import { silenceStart, type Peaks } from './peaks'
import type { Span, Trace } from '../../trace/model/span-tree'

/** Minimum displayed length of latencies and of keys, in seconds. */
const leastLatency = 0.05
const leastDtmf = 0.1

/**
 * Channel of the party that talks to the platform. The platform, or a party that it connects, is on the other channel.
 */
export const callerChannel = 0
const platformChannel = 1

/** The transcript, or the reason why there is none. Latencies are in seconds. */
export interface SpeechFacts {
  kind: 'stt'
  vendor?: string
  confidence?: number
  language?: string
  transcript: string
  latency?: number
}

/** A pressed key. */
export interface DtmfFacts {
  kind: 'dtmf'
  dtmf: string
  duration: string
}

/** The latency of speech synthesis. */
export interface TtsFacts {
  kind: 'tts'
  vendor: string
  latency: number
  cached: boolean
}

/** The response time of the application. */
export interface HookFacts {
  kind: 'hook'
  status: number
  latency: number
}

/** A time range of a recording with a known event. */
export interface Region {
  id: string
  /** Seconds of the recording. */
  start: number
  end: number
  channel: number
  /** A wait, shown only with the latencies. */
  latency: boolean
  facts: SpeechFacts | DtmfFacts | TtsFacts | HookFacts
}

/** Text in place of a missing transcript. */
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

/** A span with its position in the recording, in seconds. */
interface Look {
  span: Span
  /** Returns all descendants. */
  below: () => readonly Span[]
  start: number
  end: number
  peaks: Peaks | undefined
}

const lengthOf = (span: Span) => (span.end - span.start) / 1000

const atLeast = (start: number, length: number, least: number) => ({ start, end: start + Math.max(length, least) })

/** Returns the channel on which a span recognises speech; undefined if it does not. */
const channelOf = ({ name }: Span): number | undefined => {
  const number = /stt-listen:(\d+)/.exec(name)?.[1]
  if (number !== undefined) return Math.max(0, Number(number) - 1)
  return name.includes(':gather{') ? callerChannel : undefined
}

/** Excludes spans that listen for keys only, and those with a child span for the recognition. */
const isListening = ({ span, below }: Look) =>
  ['stt.result', 'stt.resolve'].some((key) => attribute(span, key) !== undefined) ||
  !(/inputs=(?!.*speech)/.test(span.name) || below().some(({ name }) => name.includes('stt-listen:')))

/**
 * Returns the time from the last word to the recognition result: as reported by the voice server, otherwise as measured
 * in the recording. Excludes the application's response, with which the span ends.
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

/** Cached speech has a region too. It is available at once, so it has the minimum width. */
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
 * Returns the events of a recording, sorted by time; none if the trace does not contain the start of the recording.
 * `peaks` are the levels known so far.
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

import { findSilenceStart, type Peaks } from './peaks'
import type { Span, Trace } from '../../trace/model/span'

/** Minimum displayed length of latencies and of keys, in seconds. */
const minLatencySeconds = 0.05
const minDtmfSeconds = 0.1

/**
 * Channel of the party that talks to the platform. The platform, or a party that it connects, is on the other channel.
 */
export const callerChannel = 0
const platformChannel = 1

/** Recognised speech: its transcript, or the reason why there is none. Latencies are in seconds. */
export interface SpeechEvent {
  kind: 'stt'
  vendor?: string
  confidence?: number
  language?: string
  transcript: string
  latencySeconds?: number
}

/** A pressed key. */
export interface DtmfEvent {
  kind: 'dtmf'
  dtmf: string
  duration: string
}

/** The latency of speech synthesis. */
export interface TtsEvent {
  kind: 'tts'
  vendor: string
  latencySeconds: number
  isCached: boolean
}

/** The response time of the application. */
export interface WebhookEvent {
  kind: 'hook'
  status: number
  latencySeconds: number
}

/** An event in a recording, and its time range. */
export interface Region {
  id: string
  /** Seconds of the recording. */
  start: number
  end: number
  channel: number
  /** The region is a latency: a wait, shown only on request. */
  isLatency: boolean
  event: SpeechEvent | DtmfEvent | TtsEvent | WebhookEvent
}

/** Text in place of a missing transcript. */
export const noTranscript = {
  timeout: 'None (speech session timeout)',
  ended: 'None (call disconnected or speech session terminated)',
} as const

const findAttribute = ({ attributes }: Span, key: string): string | undefined =>
  attributes.find((entry) => entry.key === key)?.value

const parseNumber = (text: string | undefined): number | undefined =>
  text !== undefined && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined

interface Result {
  vendor?: { name?: unknown }
  language_code?: unknown
  alternatives?: { transcript?: unknown; confidence?: unknown }[]
}

const parseResult = (text: string | undefined): Result | undefined => {
  try {
    const parsed = JSON.parse(text ?? '') as Result | null
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}

const toNonEmptyText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

const toSpeechEvent = ({ vendor, language_code, alternatives }: Result): Omit<SpeechEvent, 'kind'> => {
  const alternative = Array.isArray(alternatives) ? alternatives[0] : undefined
  return {
    vendor: toNonEmptyText(vendor?.name),
    language: toNonEmptyText(language_code),
    confidence: typeof alternative?.confidence === 'number' ? alternative.confidence : undefined,
    transcript: toNonEmptyText(alternative?.transcript) ?? '',
  }
}

/** A span with its position in the recording, in seconds. */
interface SpanContext {
  span: Span
  /** Returns all descendants. */
  descendants: () => readonly Span[]
  start: number
  end: number
  peaks: Peaks | undefined
}

const durationSeconds = (span: Span) => (span.end - span.start) / 1000

const withMinLength = (start: number, length: number, minLength: number) => ({
  start,
  end: start + Math.max(length, minLength),
})

/** Returns the channel on which a span recognises speech; undefined if it does not. */
const getSpeechChannel = ({ name }: Span): number | undefined => {
  const number = /stt-listen:(\d+)/.exec(name)?.[1]
  if (number !== undefined) return Math.max(0, Number(number) - 1)
  return name.includes(':gather{') ? callerChannel : undefined
}

/** Excludes spans that listen for keys only, and those with a child span for the recognition. */
const isListening = ({ span, descendants }: SpanContext) =>
  ['stt.result', 'stt.resolve'].some((key) => findAttribute(span, key) !== undefined) ||
  !(/inputs=(?!.*speech)/.test(span.name) || descendants().some(({ name }) => name.includes('stt-listen:')))

/**
 * Returns the time from the last word to the recognition result: as reported by the voice server, otherwise as measured
 * in the recording. Excludes the application's response, with which the span ends.
 */
const getSpeechLatency = ({ span, descendants, start, end, peaks }: SpanContext, channel: number) => {
  const hook = descendants().find(({ depth, name }) => depth === span.depth + 1 && name.includes('verb:hook'))
  const resultTime = end - (hook ? durationSeconds(hook) : 0)
  const reportedMs = parseNumber(findAttribute(span, 'stt.latency_ms'))
  const speechEnd =
    reportedMs === undefined ? peaks && findSilenceStart(peaks, channel, start, end) : resultTime - reportedMs / 1000
  return speechEnd === undefined
    ? undefined
    : { speechEnd, latencySeconds: reportedMs === undefined ? resultTime - speechEnd : reportedMs / 1000 }
}

const findSpeechRegions = (context: SpanContext): Region[] => {
  const { span, start, end } = context
  const channel = getSpeechChannel(span)
  if (channel === undefined || !isListening(context)) return []
  const base = { id: span.id, ...withMinLength(start, end - start, minLatencySeconds), channel, isLatency: false }
  const result = parseResult(findAttribute(span, 'stt.result'))
  if (!result) {
    const transcript = findAttribute(span, 'stt.resolve') === 'timeout' ? noTranscript.timeout : noTranscript.ended
    return [{ ...base, event: { kind: 'stt', transcript } }]
  }
  const speechLatency = getSpeechLatency(context, channel)
  if (!speechLatency || speechLatency.latencySeconds < 0)
    return [{ ...base, event: { kind: 'stt', ...toSpeechEvent(result) } }]
  const event: SpeechEvent = { kind: 'stt', ...toSpeechEvent(result), latencySeconds: speechLatency.latencySeconds }
  const latencyRegion = {
    ...base,
    id: `${span.id} latency`,
    ...withMinLength(speechLatency.speechEnd, speechLatency.latencySeconds, minLatencySeconds),
    isLatency: true,
  }
  return [
    { ...base, event },
    { ...latencyRegion, event },
  ]
}

const findDtmfRegions = ({ span, start, end }: SpanContext): Region[] => {
  if (!/(?:^|:)dtmf(?::|$)|dtmf:/.test(span.name)) return []
  const duration = findAttribute(span, 'duration') ?? ''
  const reportedMs = parseNumber(/^\s*(\d+(?:\.\d+)?)\s*(?:ms\s*)?$/.exec(duration)?.[1])
  const length = reportedMs === undefined ? end - start : reportedMs / 1000
  const event: DtmfEvent = { kind: 'dtmf', dtmf: findAttribute(span, 'dtmf') ?? '', duration }
  return [
    { id: span.id, ...withMinLength(start, length, minDtmfSeconds), channel: callerChannel, isLatency: false, event },
  ]
}

/** Cached speech has a region too. It is available at once, so it has the minimum width. */
const findSynthesisRegions = ({ span, start, end }: SpanContext): Region[] => {
  const isCached = findAttribute(span, 'tts.cached') === 'true'
  if (!span.name.includes('tts-generation')) return []
  const reportedMs = parseNumber(findAttribute(span, 'time_to_first_byte_ms'))
  const latencySeconds = reportedMs === undefined ? end - start : reportedMs / 1000
  const event: TtsEvent = { kind: 'tts', vendor: findAttribute(span, 'tts.vendor') ?? '', latencySeconds, isCached }
  return [
    {
      id: span.id,
      ...withMinLength(start, latencySeconds, minLatencySeconds),
      channel: platformChannel,
      isLatency: true,
      event,
    },
  ]
}

const inputReason = /"reason"\s*:\s*"(?:speech|dtmf)Detected"/

const findWebhookRegions = ({ span, start, end }: SpanContext): Region[] => {
  if (!span.name.includes('verb:hook') || !inputReason.test(findAttribute(span, 'http.body') ?? '')) return []
  const event: WebhookEvent = {
    kind: 'hook',
    status: parseNumber(findAttribute(span, 'http.statusCode')) ?? 404,
    latencySeconds: end - start,
  }
  return [
    {
      id: span.id,
      ...withMinLength(start, end - start, minLatencySeconds),
      channel: platformChannel,
      isLatency: true,
      event,
    },
  ]
}

const regionFinders = [findSpeechRegions, findDtmfRegions, findSynthesisRegions, findWebhookRegions]

/**
 * Returns the events of a recording, sorted by time; none if the trace does not contain the start of the recording.
 * `peaks` are the levels known so far.
 */
export const findRegions = ({ spans }: Trace, peaks?: Peaks): Region[] => {
  const recordingSpan = spans
    .filter(({ name }) => name.includes('background-record:listen'))
    .reduce<Span | undefined>((first, span) => (first && first.start <= span.start ? first : span), undefined)
  if (!recordingSpan) return []
  return spans
    .flatMap((span, index) => {
      const descendants = () => spans.slice(index + 1, index + 1 + span.descendantCount)
      const [start, end] = [(span.start - recordingSpan.start) / 1000, (span.end - recordingSpan.start) / 1000]
      return regionFinders.flatMap((findIn) => findIn({ span, descendants, start, end, peaks }))
    })
    .filter(({ end }) => end > 0)
    .sort((a, b) => a.start - b.start)
}

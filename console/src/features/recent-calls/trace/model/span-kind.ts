import type { Span } from './span-tree'

/** What a span is about; each has a colour of its own. */
export const spanKinds = ['call', 'verb', 'stt', 'tts', 'hook', 'dtmf', 'rec'] as const
export type SpanKind = (typeof spanKinds)[number]

/** The first that fits. An unknown name is a verb when it says so, else a part of the call itself. */
const rules: readonly [RegExp, SpanKind][] = [
  [/^background-(?:record|listen)/, 'rec'],
  [/stt-listen:/, 'stt'],
  [/^tts-generation/, 'tts'],
  [/^verb:hook|^performAppWebhook/, 'hook'],
  [/^dtmf(?::|$)/, 'dtmf'],
  [/^verb:|^gather\b|:gather\b/, 'verb'],
]

/** What a span of this name is about. */
export const kindOf = (name: string): SpanKind => rules.find(([pattern]) => pattern.test(name))?.[1] ?? 'call'

const attribute = ({ attributes }: Pick<Span, 'attributes'>, key: string): string | undefined =>
  attributes.find((each) => each.key === key)?.value

const transcriptOf = (result: string | undefined): string | undefined => {
  if (!result) return undefined
  try {
    const { alternatives } = JSON.parse(result) as { alternatives?: { transcript?: unknown }[] }
    const transcript = Array.isArray(alternatives) ? alternatives[0]?.transcript : undefined
    return typeof transcript === 'string' && transcript !== '' ? `“${transcript}”` : undefined
  } catch {
    return undefined
  }
}

const notes: Partial<Record<SpanKind, (span: Pick<Span, 'attributes'>) => string | undefined>> = {
  tts: (span) => (attribute(span, 'tts.cached') === 'true' ? 'cached' : undefined),
  stt: (span) => transcriptOf(attribute(span, 'stt.result')),
  verb: (span) => transcriptOf(attribute(span, 'stt.result')),
  dtmf: (span) => {
    const key = attribute(span, 'dtmf')
    return key && `key ${key}`
  },
}

/** The most telling of its attributes, to stand behind its bar. */
export const noteOf = (span: Pick<Span, 'kind' | 'attributes'>): string | undefined => notes[span.kind]?.(span)

/** What went wrong in it, in a word: nothing said in time, what a webhook refused, an error that the server has marked. */
export const troubleOf = (span: Pick<Span, 'attributes' | 'failed'>): string | undefined => {
  if (attribute(span, 'stt.resolve') === 'timeout') return 'timeout'
  const status = Number(attribute(span, 'http.statusCode'))
  if (status >= 400) return String(status)
  return span.failed ? 'error' : undefined
}

import type { Span, SpanKind } from './span'

/** The first match applies. Unknown names are of kind 'verb' if they start with it, otherwise 'call'. */
const kindPatterns: readonly [RegExp, SpanKind][] = [
  [/^background-(?:record|listen)/, 'rec'],
  [/stt-listen:/, 'stt'],
  [/^tts-generation/, 'tts'],
  [/^verb:hook|^performAppWebhook/, 'hook'],
  [/^dtmf(?::|$)/, 'dtmf'],
  [/^verb:|^gather\b|:gather\b/, 'verb'],
]

/** Returns the kind of a span by its name. */
export const getKind = (name: string): SpanKind => kindPatterns.find(([pattern]) => pattern.test(name))?.[1] ?? 'call'

const findAttribute = ({ attributes }: Pick<Span, 'attributes'>, key: string): string | undefined =>
  attributes.find((entry) => entry.key === key)?.value

const formatTranscript = (result: string | undefined): string | undefined => {
  if (!result) return undefined
  try {
    const { alternatives } = JSON.parse(result) as { alternatives?: { transcript?: unknown }[] }
    const transcript = Array.isArray(alternatives) ? alternatives[0]?.transcript : undefined
    return typeof transcript === 'string' && transcript !== '' ? `“${transcript}”` : undefined
  } catch {
    return undefined
  }
}

const noteGetters: Partial<Record<SpanKind, (span: Pick<Span, 'attributes'>) => string | undefined>> = {
  tts: (span) => (findAttribute(span, 'tts.cached') === 'true' ? 'cached' : undefined),
  stt: (span) => formatTranscript(findAttribute(span, 'stt.result')),
  verb: (span) => formatTranscript(findAttribute(span, 'stt.result')),
  dtmf: (span) => {
    const key = findAttribute(span, 'dtmf')
    return key && `key ${key}`
  },
}

/** Returns the most informative attribute, shown after the bar. */
export const getNote = (span: Pick<Span, 'kind' | 'attributes'>): string | undefined => noteGetters[span.kind]?.(span)

/**
 * Returns a short description of a problem: a speech timeout, an error status of a webhook, or an error that the server
 * marked.
 */
export const getProblem = (span: Pick<Span, 'attributes' | 'failed'>): string | undefined => {
  if (findAttribute(span, 'stt.resolve') === 'timeout') return 'timeout'
  const status = Number(findAttribute(span, 'http.statusCode'))
  if (status >= 400) return String(status)
  return span.failed ? 'error' : undefined
}

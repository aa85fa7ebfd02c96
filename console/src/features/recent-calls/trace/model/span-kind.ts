import type { Span, SpanKind } from './span'

/** The first match applies. Unknown names are of kind 'verb' if they start with it, otherwise 'call'. */
const rules: readonly [RegExp, SpanKind][] = [
  [/^background-(?:record|listen)/, 'rec'],
  [/stt-listen:/, 'stt'],
  [/^tts-generation/, 'tts'],
  [/^verb:hook|^performAppWebhook/, 'hook'],
  [/^dtmf(?::|$)/, 'dtmf'],
  [/^verb:|^gather\b|:gather\b/, 'verb'],
]

/** Returns the kind of a span by its name. */
export const kindOf = (name: string): SpanKind => rules.find(([pattern]) => pattern.test(name))?.[1] ?? 'call'

const attribute = ({ attributes }: Pick<Span, 'attributes'>, key: string): string | undefined =>
  attributes.find((entry) => entry.key === key)?.value

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

/** Returns the most informative attribute, shown after the bar. */
export const noteOf = (span: Pick<Span, 'kind' | 'attributes'>): string | undefined => notes[span.kind]?.(span)

/**
 * Returns a short description of a problem: a speech timeout, an error status of a webhook, or an error that the server
 * marked.
 */
export const problemOf = (span: Pick<Span, 'attributes' | 'failed'>): string | undefined => {
  if (attribute(span, 'stt.resolve') === 'timeout') return 'timeout'
  const status = Number(attribute(span, 'http.statusCode'))
  if (status >= 400) return String(status)
  return span.failed ? 'error' : undefined
}

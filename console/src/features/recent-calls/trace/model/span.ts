/** The kinds of spans; each has its own colour. */
export const spanKinds = ['call', 'verb', 'stt', 'tts', 'hook', 'dtmf', 'rec'] as const
export type SpanKind = (typeof spanKinds)[number]

/** A span of the waterfall. Times are milliseconds since the start of the trace's root. */
export interface Span {
  id: string
  /** Id of the parent, even if the trace does not contain it. */
  parentId: string | undefined
  name: string
  kind: SpanKind
  start: number
  end: number
  /** The visible attributes. */
  attributes: { key: string; value: string }[]
  events: { name: string; offsetMs: number }[]
  /** The server marked the span as failed; `failure` is its error message, if any. */
  failed: boolean
  failure?: string
  /** Number of ancestors. */
  depth: number
  /** Index of the parent in the trace's list; -1 for a root. */
  parentIndex: number
  /** Number of descendants, which follow the span in the trace's list. */
  descendantCount: number
}

/** A trace with its spans in tree order. */
export interface Trace {
  spans: Span[]
  /** The earliest start and the latest end. */
  startMs: number
  endMs: number
}

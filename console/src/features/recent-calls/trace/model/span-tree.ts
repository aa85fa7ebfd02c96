import { kindOf, type SpanKind } from './span-kind'
import { parentOf, valueText, wireSpans, type WireSpan, type WireTrace } from '@trunkline/contract/calls/spans-wire'

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
  events: { name: string; at: number }[]
  /** The server marked the span as failed; `failure` is its error message, if any. */
  failed: boolean
  failure?: string
  /** Number of ancestors. */
  depth: number
  /** Index of the parent in the trace's list; -1 for a root. */
  parent: number
  /** Number of descendants, which follow the span in the trace's list. */
  below: number
}

/** A trace with its spans in tree order. */
export interface Trace {
  spans: Span[]
  /** The earliest start and the latest end. */
  from: number
  to: number
}

const hidden = /^(?:telemetry|internal)/

/** Returns the attributes without those that tracing uses internally. */
const shownAttributes = ({ attributes }: WireSpan): Span['attributes'] =>
  (Array.isArray(attributes) ? attributes : [])
    .filter(({ key }) => typeof key === 'string' && !hidden.test(key))
    .map(({ key, value }) => ({ key, value: valueText(value) }))

const nanos = (text: unknown): bigint => (/^\d{1,20}$/.test(String(text)) ? BigInt(String(text)) : 0n)

interface Timed {
  id: string
  wire: WireSpan
  start: bigint
  end: bigint
}

/** Removes duplicate spans. A span without an end has no length. */
const timed = (wire: WireSpan[]): Timed[] => {
  const byId = new Map<string, Timed>()
  wire.forEach((span, at) => {
    const start = nanos(span.startTimeUnixNano)
    const end = nanos(span.endTimeUnixNano)
    const id = span.spanId || `#${at}`
    byId.set(id, { id, wire: span, start, end: end > start ? end : start })
  })
  return [...byId.values()].sort((one, other) => (one.start < other.start ? -1 : one.start > other.start ? 1 : 0))
}

const failureOf = ({ status }: WireSpan): Pick<Span, 'failed' | 'failure'> => {
  const failed = status?.code === 2 || status?.code === 'STATUS_CODE_ERROR'
  return failed && status?.message ? { failed, failure: status.message } : { failed }
}

const spanOf = ({ id, wire, start, end }: Timed, zero: bigint): Span => {
  const since = (moment: bigint) => Number(moment - zero) / 1e6
  const name = String(wire.name ?? '')
  return {
    id,
    parentId: parentOf(wire),
    name,
    kind: kindOf(name),
    start: since(start),
    end: since(end),
    attributes: shownAttributes(wire),
    events: (Array.isArray(wire.events) ? wire.events : []).map(({ name: event = '', timeUnixNano }) => ({
      name: event,
      at: since(nanos(timeUnixNano)),
    })),
    ...failureOf(wire),
    depth: 0,
    parent: -1,
    below: 0,
  }
}

/** Returns the spans in tree order. In a cycle of parents there is no root, so its first span becomes one. */
const inOrder = (sorted: Timed[]): { of: Timed; depth: number; parent: number }[] => {
  const known = new Set(sorted.map(({ id }) => id))
  const children = new Map<string, Timed[]>()
  const roots: Timed[] = []
  for (const each of sorted) {
    const parent = parentOf(each.wire)
    if (parent === undefined || !known.has(parent) || parent === each.id) roots.push(each)
    else if (children.has(parent)) children.get(parent)?.push(each)
    else children.set(parent, [each])
  }
  const order: { of: Timed; depth: number; parent: number }[] = []
  const placed = new Set<string>()
  // Iterative, because a trace can be as deep as it has spans.
  const place = (root: Timed) => {
    const waiting = [{ of: root, depth: 0, parent: -1 }]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (placed.has(next.of.id)) continue
      placed.add(next.of.id)
      const parent = order.push(next) - 1
      const below = children.get(next.of.id) ?? []
      for (let at = below.length - 1; at >= 0; at -= 1) waiting.push({ of: below[at]!, depth: next.depth + 1, parent })
    }
  }
  roots.forEach(place)
  for (const each of sorted) if (!placed.has(each.id)) place(each)
  return order
}

/** Builds a trace from the server's response; undefined if it has no spans. */
export const traceOf = (answer: WireTrace): Trace | undefined => {
  const order = inOrder(timed(wireSpans(answer)))
  const root = order[0]
  if (!root) return undefined
  const spans = order.map(({ of, depth, parent }) => ({ ...spanOf(of, root.of.start), depth, parent }))
  let from = 0
  let to = 0
  for (let at = spans.length - 1; at >= 0; at -= 1) {
    const span = spans[at]!
    const parent = spans[span.parent]
    if (parent) parent.below += span.below + 1
    from = Math.min(from, span.start)
    to = Math.max(to, span.end)
  }
  return { spans, from, to }
}

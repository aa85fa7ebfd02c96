import { kindOf, type SpanKind } from './span-kind'
import { parentOf, valueText, wireSpans, type WireSpan, type WireTrace } from '@trunkline/contract/calls/spans-wire'

/** A span as it is drawn. Times are milliseconds since the begin of the trace's root. */
export interface Span {
  id: string
  /** The ID of its parent, also of one that is not among the spans. */
  parentId: string | undefined
  name: string
  kind: SpanKind
  start: number
  end: number
  /** What is shown of its attributes. */
  attributes: { key: string; value: string }[]
  events: { name: string; at: number }[]
  /** The server has marked it as failed; the words, where it has given some. */
  failed: boolean
  failure?: string
  /** How many are above it. */
  depth: number
  /** The place of its parent in the trace's list; -1 for a root. */
  parent: number
  /** How many are below it: they follow it in the trace's list. */
  below: number
}

/** A whole trace, its spans in the order in which a tree is read. */
export interface Trace {
  spans: Span[]
  /** The first begin and the last end. */
  from: number
  to: number
}

const hidden = /^(?:telemetry|internal)/

/** Attributes that a person gets to see: not those by which tracing keeps its own books. */
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

/** A span that was sent twice counts once. One that never ended has no length. */
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

/** The spans in reading order. Those that point at each other in a circle have no root: the first of them is taken for one. */
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
  // Without recursion: a trace may be as deep as it is long.
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

/** Makes a tree of what a server has answered; undefined when there is no span in it. */
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

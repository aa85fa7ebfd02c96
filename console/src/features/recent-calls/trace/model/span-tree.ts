import { kindOf } from './span-kind'
import type { Span, Trace } from './span'
import {
  getParentSpanId,
  formatValue,
  listWireSpans,
  type WireSpan,
  type WireTrace,
} from '@trunkline/contract/calls/otlp-trace'

const internalAttribute = /^(?:telemetry|internal)/

/** Returns the attributes without those that tracing uses internally. */
const visibleAttributes = ({ attributes }: WireSpan): Span['attributes'] =>
  (Array.isArray(attributes) ? attributes : [])
    .filter(({ key }) => typeof key === 'string' && !internalAttribute.test(key))
    .map(({ key, value }) => ({ key, value: formatValue(value) }))

const nanos = (text: unknown): bigint => (/^\d{1,20}$/.test(String(text)) ? BigInt(String(text)) : 0n)

interface TimedSpan {
  id: string
  wire: WireSpan
  start: bigint
  end: bigint
}

/** Removes duplicate spans. A span without an end has no length. */
const sortByStart = (wire: WireSpan[]): TimedSpan[] => {
  const byId = new Map<string, TimedSpan>()
  wire.forEach((span, index) => {
    const start = nanos(span.startTimeUnixNano)
    const end = nanos(span.endTimeUnixNano)
    const id = span.spanId || `#${index}`
    byId.set(id, { id, wire: span, start, end: end > start ? end : start })
  })
  return [...byId.values()].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
}

const failureOf = ({ status }: WireSpan): Pick<Span, 'failed' | 'failure'> => {
  const failed = status?.code === 2 || status?.code === 'STATUS_CODE_ERROR'
  return failed && status?.message ? { failed, failure: status.message } : { failed }
}

const spanOf = ({ id, wire, start, end }: TimedSpan, startTime: bigint): Span => {
  const millisecondsSince = (nanoseconds: bigint) => Number(nanoseconds - startTime) / 1e6
  const name = String(wire.name ?? '')
  return {
    id,
    parentId: getParentSpanId(wire),
    name,
    kind: kindOf(name),
    start: millisecondsSince(start),
    end: millisecondsSince(end),
    attributes: visibleAttributes(wire),
    events: (Array.isArray(wire.events) ? wire.events : []).map(({ name: event = '', timeUnixNano }) => ({
      name: event,
      at: millisecondsSince(nanos(timeUnixNano)),
    })),
    ...failureOf(wire),
    depth: 0,
    parent: -1,
    below: 0,
  }
}

/** Returns the spans in tree order. In a cycle of parents there is no root, so its first span becomes one. */
const toTreeOrder = (sorted: TimedSpan[]): { span: TimedSpan; depth: number; parent: number }[] => {
  const ids = new Set(sorted.map(({ id }) => id))
  const children = new Map<string, TimedSpan[]>()
  const roots: TimedSpan[] = []
  for (const span of sorted) {
    const parent = getParentSpanId(span.wire)
    if (parent === undefined || !ids.has(parent) || parent === span.id) roots.push(span)
    else if (children.has(parent)) children.get(parent)?.push(span)
    else children.set(parent, [span])
  }
  const order: { span: TimedSpan; depth: number; parent: number }[] = []
  const placedIds = new Set<string>()
  // Iterative, because a trace can be as deep as it has spans.
  const placeTree = (root: TimedSpan) => {
    const stack = [{ span: root, depth: 0, parent: -1 }]
    for (let entry = stack.pop(); entry; entry = stack.pop()) {
      if (placedIds.has(entry.span.id)) continue
      placedIds.add(entry.span.id)
      const parent = order.push(entry) - 1
      const childSpans = children.get(entry.span.id) ?? []
      for (let index = childSpans.length - 1; index >= 0; index -= 1)
        stack.push({ span: childSpans[index]!, depth: entry.depth + 1, parent })
    }
  }
  roots.forEach(placeTree)
  for (const span of sorted) if (!placedIds.has(span.id)) placeTree(span)
  return order
}

/** Builds a trace from the server's response; undefined if it has no spans. */
export const buildTrace = (response: WireTrace): Trace | undefined => {
  const order = toTreeOrder(sortByStart(listWireSpans(response)))
  const root = order[0]
  if (!root) return undefined
  const spans = order.map(({ span, depth, parent }) => ({ ...spanOf(span, root.span.start), depth, parent }))
  let from = 0
  let to = 0
  for (let index = spans.length - 1; index >= 0; index -= 1) {
    const span = spans[index]!
    const parent = spans[span.parent]
    if (parent) parent.below += span.below + 1
    from = Math.min(from, span.start)
    to = Math.max(to, span.end)
  }
  return { spans, from, to }
}

import { getKind } from './span-kind'
import type { Span, Trace } from './span'
import {
  getParentSpanId,
  formatValue,
  listObjects,
  listWireSpans,
  type WireSpan,
  type WireTrace,
} from '@trunkline/contract/calls/otlp-trace'

const internalAttribute = /^(?:telemetry|internal)/

/** Returns the attributes without those that tracing uses internally. */
const visibleAttributes = ({ attributes }: WireSpan): Span['attributes'] =>
  listObjects(attributes)
    .filter(({ key }) => typeof key === 'string' && !internalAttribute.test(key))
    .map(({ key, value }) => ({ key, value: formatValue(value) }))

const parseNanoseconds = (text: unknown): bigint => (/^\d{1,20}$/.test(String(text)) ? BigInt(String(text)) : 0n)

interface TimedSpan {
  id: string
  wire: WireSpan
  start: bigint
  end: bigint
}

/** Sorts spans by start and removes duplicates. A span without an end has no length. */
const sortByStart = (wire: WireSpan[]): TimedSpan[] => {
  const spansById = new Map<string, TimedSpan>()
  wire.forEach((span, index) => {
    const start = parseNanoseconds(span.startTimeUnixNano)
    const end = parseNanoseconds(span.endTimeUnixNano)
    const id = String(span.spanId || `#${index}`)
    spansById.set(id, { id, wire: span, start, end: end > start ? end : start })
  })
  return [...spansById.values()].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

const getFailure = ({ status }: WireSpan): Pick<Span, 'failed' | 'failure'> => {
  const hasFailed = status?.code === 2 || status?.code === 'STATUS_CODE_ERROR'
  const failure = toText(status?.message)
  return hasFailed && failure ? { failed: hasFailed, failure } : { failed: hasFailed }
}

const toSpan = ({ id, wire, start, end }: TimedSpan, startTime: bigint): Span => {
  const millisecondsSince = (nanoseconds: bigint) => Number(nanoseconds - startTime) / 1e6
  const name = toText(wire.name)
  return {
    id,
    parentId: getParentSpanId(wire),
    name,
    kind: getKind(name),
    start: millisecondsSince(start),
    end: millisecondsSince(end),
    attributes: visibleAttributes(wire),
    events: listObjects(wire.events).map(({ name: eventName, timeUnixNano }) => ({
      name: toText(eventName),
      offsetMs: millisecondsSince(parseNanoseconds(timeUnixNano)),
    })),
    ...getFailure(wire),
    depth: 0,
    parentIndex: -1,
    descendantCount: 0,
  }
}

/** Returns the spans in tree order. In a cycle of parents there is no root, so its first span becomes one. */
const toTreeOrder = (sorted: TimedSpan[]): { span: TimedSpan; depth: number; parentIndex: number }[] => {
  const ids = new Set(sorted.map(({ id }) => id))
  const children = new Map<string, TimedSpan[]>()
  const roots: TimedSpan[] = []
  for (const span of sorted) {
    const parentId = getParentSpanId(span.wire)
    if (parentId === undefined || !ids.has(parentId) || parentId === span.id) roots.push(span)
    else if (children.has(parentId)) children.get(parentId)?.push(span)
    else children.set(parentId, [span])
  }
  const order: { span: TimedSpan; depth: number; parentIndex: number }[] = []
  const placedIds = new Set<string>()
  // Iterative, because a trace can be as deep as it has spans.
  const placeTree = (root: TimedSpan) => {
    const stack = [{ span: root, depth: 0, parentIndex: -1 }]
    for (let entry = stack.pop(); entry; entry = stack.pop()) {
      if (placedIds.has(entry.span.id)) continue
      placedIds.add(entry.span.id)
      const parentIndex = order.push(entry) - 1
      const childSpans = children.get(entry.span.id) ?? []
      for (let index = childSpans.length - 1; index >= 0; index -= 1)
        stack.push({ span: childSpans[index]!, depth: entry.depth + 1, parentIndex })
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
  const spans = order.map(({ span, depth, parentIndex }) => ({ ...toSpan(span, root.span.start), depth, parentIndex }))
  let startMs = 0
  let endMs = 0
  for (let index = spans.length - 1; index >= 0; index -= 1) {
    const span = spans[index]!
    const parent = spans[span.parentIndex]
    if (parent) parent.descendantCount += span.descendantCount + 1
    startMs = Math.min(startMs, span.start)
    endMs = Math.max(endMs, span.end)
  }
  return { spans, startMs, endMs }
}

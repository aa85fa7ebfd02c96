import type { Span, Trace } from './span'

/** A time range. */
export type TimeRange = readonly [from: number, to: number]

interface PathStep {
  span: Span
  /** The time before this point is not yet assigned to a span. */
  endMs: number
  /** Child spans; the last to end is at the end of the array. */
  children: Span[]
}

const compareEnds = (a: Span, b: Span) => a.end - b.end || a.start - b.start

/** A recording runs in parallel with the call, so the call never waits for it. */
const blocksCall = ({ kind }: Span) => kind !== 'rec'

/**
 * Finds the critical path: the span that the call was waiting for at each time. Works backwards from the end: the last
 * child to finish before a time accounts for the time back to its start. Without such a child, the span itself does.
 * Returns the time ranges of each span on the path, by id.
 */
export const findCriticalPath = ({ spans }: Trace): Map<string, TimeRange[]> => {
  const children = new Map<number, Span[]>()
  spans.forEach((span) => {
    if (span.parentIndex < 0 || !blocksCall(span)) return
    const siblings = children.get(span.parentIndex)
    if (siblings) siblings.push(span)
    else children.set(span.parentIndex, [span])
  })
  for (const siblings of children.values()) siblings.sort(compareEnds)
  const indexBySpan = new Map(spans.map((span, index) => [span, index]))

  const path = new Map<string, TimeRange[]>()
  const addRange = ({ id }: Span, from: number, to: number) => {
    if (to <= from) return
    const ranges = path.get(id)
    if (ranges) ranges.unshift([from, to])
    else path.set(id, [[from, to]])
  }
  const createStep = (span: Span, endMs: number): PathStep => ({
    span,
    endMs,
    children: [...(children.get(indexBySpan.get(span) ?? -1) ?? [])],
  })

  const root = spans[0]
  const stack = root ? [createStep(root, root.end)] : []
  for (let current = stack.at(-1); current; current = stack.at(-1)) {
    const child = current.children.pop()
    if (!child) {
      addRange(current.span, current.span.start, current.endMs)
      stack.pop()
    } else if (child.start < current.endMs && child.end > current.span.start) {
      // A child may end after its parent; clip it.
      const end = Math.min(child.end, current.endMs)
      addRange(current.span, end, current.endMs)
      current.endMs = Math.max(child.start, current.span.start)
      stack.push(createStep(child, end))
    }
  }
  return path
}

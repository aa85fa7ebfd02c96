import type { Span, Trace } from './span-tree'

/** A time range. */
export type Stretch = readonly [from: number, to: number]

interface Step {
  span: Span
  /** The time before this point is not yet assigned to a span. */
  until: number
  /** Child spans; the last to end is at the end of the array. */
  children: Span[]
}

const byEnd = (one: Span, other: Span) => one.end - other.end || one.start - other.start

/** A recording runs in parallel with the call, so the call never waits for it. */
const awaited = ({ kind }: Span) => kind !== 'rec'

/**
 * Finds the critical path: the span that the call was waiting for at each time. Works backwards from the end: the last
 * child to finish before a time accounts for the time back to its start. Without such a child, the span itself does.
 * Returns the time ranges of each span on the path, by id.
 */
export const criticalPath = ({ spans }: Trace): Map<string, Stretch[]> => {
  const children = new Map<number, Span[]>()
  spans.forEach((span) => {
    if (span.parent < 0 || !awaited(span)) return
    const siblings = children.get(span.parent)
    if (siblings) siblings.push(span)
    else children.set(span.parent, [span])
  })
  for (const siblings of children.values()) siblings.sort(byEnd)
  const placeOf = new Map(spans.map((span, at) => [span, at]))

  const path = new Map<string, Stretch[]>()
  const note = ({ id }: Span, from: number, to: number) => {
    if (to <= from) return
    const stretches = path.get(id)
    if (stretches) stretches.unshift([from, to])
    else path.set(id, [[from, to]])
  }
  const step = (span: Span, until: number): Step => ({
    span,
    until,
    children: [...(children.get(placeOf.get(span) ?? -1) ?? [])],
  })

  const root = spans[0]
  const waiting = root ? [step(root, root.end)] : []
  for (let now = waiting.at(-1); now; now = waiting.at(-1)) {
    const child = now.children.pop()
    if (!child) {
      note(now.span, now.span.start, now.until)
      waiting.pop()
    } else if (child.start < now.until && child.end > now.span.start) {
      // A child may end after its parent; clip it.
      const end = Math.min(child.end, now.until)
      note(now.span, end, now.until)
      now.until = Math.max(child.start, now.span.start)
      waiting.push(step(child, end))
    }
  }
  return path
}

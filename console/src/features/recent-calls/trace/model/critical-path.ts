import type { Span, Trace } from './span-tree'

/** A stretch of time. */
export type Stretch = readonly [from: number, to: number]

interface Step {
  span: Span
  /** What it did before this moment is still to be explained. */
  until: number
  /** Those below it, the last to end at the back. */
  children: Span[]
}

const byEnd = (one: Span, other: Span) => one.end - other.end || one.start - other.start

/** A recording runs beside a call from begin to end, and nobody waits for it. */
const awaited = ({ kind }: Span) => kind !== 'rec'

/**
 * What the call was waiting for at each moment, found from its end: the last of a span's parts to finish before a moment
 * explains the time until it began, and where there is none the span itself does. Answers the stretches of each span on
 * this path, by ID.
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
      // A part may end a little after the whole: it is awaited no longer than that.
      const end = Math.min(child.end, now.until)
      note(now.span, end, now.until)
      now.until = Math.max(child.start, now.span.start)
      waiting.push(step(child, end))
    }
  }
  return path
}

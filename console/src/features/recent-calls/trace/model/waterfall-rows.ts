import type { Span, Trace } from './span-tree'

/** One row of a waterfall. */
export interface SpanRow {
  span: Span
  /** It has what was looked for; the others are there to show where it stands. */
  found: boolean
}

/** Has this span the text in its name, or in an attribute that is shown? */
const has = ({ id, name, attributes, failure = '' }: Span, text: string): boolean =>
  [name, id, failure].some((each) => each.toLowerCase().includes(text)) ||
  attributes.some(({ key, value }) => key.toLowerCase().includes(text) || value.toLowerCase().includes(text))

const ofSearch = (spans: readonly Span[], text: string): SpanRow[] => {
  const found = spans.map((span) => has(span, text))
  const shown = [...found]
  for (let at = spans.length - 1; at >= 0; at -= 1) {
    const parent = spans[at]!.parent
    if (shown[at] && parent >= 0) shown[parent] = true
  }
  return spans.flatMap((span, at) => (shown[at] ? [{ span, found: found[at]! }] : []))
}

/** The rows to draw: without what lies below a folded span, or while something is looked for, what has it and what is above. */
export const rowsOf = ({ spans }: Trace, folded: ReadonlySet<string>, search = ''): SpanRow[] => {
  const text = search.trim().toLowerCase()
  if (text) return ofSearch(spans, text)
  const rows: SpanRow[] = []
  for (let at = 0; at < spans.length; at += 1) {
    const span = spans[at]!
    rows.push({ span, found: false })
    if (folded.has(span.id)) at += span.below
  }
  return rows
}

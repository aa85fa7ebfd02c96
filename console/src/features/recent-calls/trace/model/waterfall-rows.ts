import type { Span, Trace } from './span-tree'

/** One row of a waterfall. */
export interface SpanRow {
  span: Span
  /** The row matches the search; the other rows are ancestors of matches. */
  found: boolean
}

/** Whether the name, id, error or a visible attribute of the span contains the text. */
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

/** Returns the visible rows: those not below a collapsed span or, during a search, the matches and their ancestors. */
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

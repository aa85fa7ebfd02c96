import type { Span, Trace } from './span'

/** One row of a waterfall. */
export interface SpanRow {
  span: Span
  /** The row matches the search; the other rows are ancestors of matches. */
  isMatch: boolean
}

/** Whether the name, id, error or a visible attribute of the span contains the text. */
const matchesText = ({ id, name, attributes, failure = '' }: Span, text: string): boolean =>
  [name, id, failure].some((field) => field.toLowerCase().includes(text)) ||
  attributes.some(({ key, value }) => key.toLowerCase().includes(text) || value.toLowerCase().includes(text))

const searchRows = (spans: readonly Span[], text: string): SpanRow[] => {
  const matchFlags = spans.map((span) => matchesText(span, text))
  const visibleFlags = [...matchFlags]
  for (let index = spans.length - 1; index >= 0; index -= 1) {
    const parent = spans[index]!.parentIndex
    if (visibleFlags[index] && parent >= 0) visibleFlags[parent] = true
  }
  return spans.flatMap((span, index) => (visibleFlags[index] ? [{ span, isMatch: matchFlags[index]! }] : []))
}

/** Returns the visible rows: those not below a collapsed span or, during a search, the matches and their ancestors. */
export const getVisibleRows = ({ spans }: Trace, collapsedIds: ReadonlySet<string>, search = ''): SpanRow[] => {
  const text = search.trim().toLowerCase()
  if (text) return searchRows(spans, text)
  const rows: SpanRow[] = []
  for (let index = 0; index < spans.length; index += 1) {
    const span = spans[index]!
    rows.push({ span, isMatch: false })
    if (collapsedIds.has(span.id)) index += span.descendantCount
  }
  return rows
}

/** What the two encodings of OTLP have in common. */

/** A request that is not what it says it is. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
}

/** By their numbers. */
export const kinds = [
  'SPAN_KIND_UNSPECIFIED',
  'SPAN_KIND_INTERNAL',
  'SPAN_KIND_SERVER',
  'SPAN_KIND_CLIENT',
  'SPAN_KIND_PRODUCER',
  'SPAN_KIND_CONSUMER',
] as const

export const statuses = ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'] as const

/** Parts within parts. A span with an attribute has seven; what is deeper than a list in a list in a list is nobody's span. */
const deepest = 24

/** One deeper. */
export const nested = (depth: number): number => {
  if (depth >= deepest) throw new Malformed('parts are nested too deep')
  return depth + 1
}

// Definitions that both encodings of OTLP share.

/** A request with invalid content. */
export class MalformedRequestError extends Error {
  override readonly name = 'MalformedRequestError'
}

/** The names of span kinds; the index of a name is its enum value. */
export const spanKinds = [
  'SPAN_KIND_UNSPECIFIED',
  'SPAN_KIND_INTERNAL',
  'SPAN_KIND_SERVER',
  'SPAN_KIND_CLIENT',
  'SPAN_KIND_PRODUCER',
  'SPAN_KIND_CONSUMER',
] as const

/** The names of status codes; the index of a name is its enum value. */
export const statusCodes = ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'] as const

/** The depth at which the value of a span's attribute is nested in a request. */
export const attributeValueDepth = 7
/** Maximum nesting depth. Attributes of real spans only nest a few lists. */
const maxDepth = 24

/** Returns the next depth. Throws if it is too deep. */
export const increaseDepth = (depth: number): number => {
  if (depth >= maxDepth) throw new MalformedRequestError('values are nested too deeply')
  return depth + 1
}

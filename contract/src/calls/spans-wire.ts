/** A trace as it travels: OpenTelemetry's JSON form, as a Jaeger query service answers it in its third version. */

export interface AnyValue {
  stringValue?: string
  boolValue?: boolean
  doubleValue?: number
  /** 64 bits do not fit into a number of JSON, so most write text. */
  intValue?: string | number
  arrayValue?: { values?: AnyValue[] }
  kvlistValue?: { values?: Attribute[] }
  /** Base64. */
  bytesValue?: string
}

export interface Attribute {
  key: string
  value?: AnyValue
}

export interface WireEvent {
  timeUnixNano?: string
  name?: string
  attributes?: Attribute[]
}

export interface WireLink {
  traceId: string
  spanId: string
  attributes?: Attribute[]
}

export interface WireSpan {
  traceId: string
  spanId: string
  /** Absent, empty, or only zeros: there is none. */
  parentSpanId?: string
  name: string
  kind?: string
  /** Nanoseconds since 1970, in decimal. */
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: Attribute[]
  events?: WireEvent[]
  links?: WireLink[]
  status?: { code?: string | number; message?: string }
}

/** The library that made the spans. */
export interface Scope {
  name?: string
  version?: string
}

export interface ScopeSpans {
  scope?: Scope
  /** What `scope` was called before. */
  instrumentationLibrary?: Scope
  spans?: WireSpan[]
}

export interface ResourceSpans {
  resource?: { attributes?: Attribute[] }
  scopeSpans?: ScopeSpans[]
  /** What `scopeSpans` was called before. */
  instrumentationLibrarySpans?: ScopeSpans[]
}

export interface WireTrace {
  resourceSpans: ResourceSpans[]
}

/** The groups of spans of one resource, by whichever of its two names they came. */
export const scopeSpansOf = ({ scopeSpans, instrumentationLibrarySpans }: ResourceSpans): ScopeSpans[] => [
  ...(Array.isArray(scopeSpans) ? scopeSpans : []),
  ...(Array.isArray(instrumentationLibrarySpans) ? instrumentationLibrarySpans : []),
]

/** All spans of a trace, in the order in which they came. */
export const wireSpans = ({ resourceSpans }: WireTrace): WireSpan[] =>
  (Array.isArray(resourceSpans) ? resourceSpans : []).flatMap((resource) =>
    scopeSpansOf(resource).flatMap(({ spans }) => (Array.isArray(spans) ? spans : [])),
  )

/** The ID of a span's parent; undefined where there is none, in all the ways in which that is said. */
export const parentOf = ({ parentSpanId }: WireSpan): string | undefined =>
  !parentSpanId || /^(?:0+|A+=*)$/.test(parentSpanId) ? undefined : parentSpanId

/** A value as a person reads it. */
export const valueText = (value: AnyValue | undefined): string => {
  const plain = plainValue(value)
  if (plain === undefined || plain === null) return ''
  return typeof plain === 'string' ? plain : JSON.stringify(plain)
}

const plainValue = (value: AnyValue | undefined): unknown => {
  if (!value) return undefined
  if (value.arrayValue) return (value.arrayValue.values ?? []).map(plainValue)
  if (value.kvlistValue)
    return Object.fromEntries(
      (value.kvlistValue.values ?? []).map(({ key, value: element }) => [key, plainValue(element)]),
    )
  return value.stringValue ?? value.doubleValue ?? value.boolValue ?? value.intValue ?? value.bytesValue
}

/** A trace in OpenTelemetry's JSON format, as version 3 of Jaeger's query API returns it. */

export interface AnyValue {
  stringValue?: string
  boolValue?: boolean
  doubleValue?: number
  /** A JSON number cannot hold 64 bits, so most writers use a string. */
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
  /** Absent, empty or all zeros if the span has no parent. */
  parentSpanId?: string
  name: string
  kind?: string
  /** Nanoseconds since 1970, as a decimal string. */
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: Attribute[]
  events?: WireEvent[]
  links?: WireLink[]
  status?: { code?: string | number; message?: string }
}

/** The instrumentation library that created the spans. */
export interface Scope {
  name?: string
  version?: string
}

export interface ScopeSpans {
  scope?: Scope
  /** The former name of `scope`. */
  instrumentationLibrary?: Scope
  spans?: WireSpan[]
}

export interface ResourceSpans {
  resource?: { attributes?: Attribute[] }
  scopeSpans?: ScopeSpans[]
  /** The former name of `scopeSpans`. */
  instrumentationLibrarySpans?: ScopeSpans[]
}

export interface WireTrace {
  resourceSpans: ResourceSpans[]
}

/** The objects in an array; none if the value is no array. Traces can contain values of any type. */
export const listObjects = <Entry extends object>(value: readonly Entry[] | undefined): Entry[] =>
  Array.isArray(value)
    ? value.filter((entry: unknown): entry is Entry => typeof entry === 'object' && entry !== null)
    : []

/** The scope spans of a resource, under the current and the former name. */
export const listScopeSpans = ({ scopeSpans, instrumentationLibrarySpans }: ResourceSpans): ScopeSpans[] => [
  ...listObjects(scopeSpans),
  ...listObjects(instrumentationLibrarySpans),
]

/** All spans of a trace, in the order received. */
export const listWireSpans = ({ resourceSpans }: WireTrace): WireSpan[] =>
  listObjects(resourceSpans).flatMap((resource) => listScopeSpans(resource).flatMap(({ spans }) => listObjects(spans)))

/** The ID of the parent span; undefined if there is none. An all-zero ID, in hex or Base64, means no parent. */
export const getParentSpanId = ({ parentSpanId }: WireSpan): string | undefined =>
  typeof parentSpanId !== 'string' || /^(?:0*|A+=*)$/.test(parentSpanId) ? undefined : parentSpanId

/** A value as text for display. */
export const formatValue = (value: AnyValue | undefined): string => {
  const plainValue = toPlainValue(value)
  if (plainValue === undefined || plainValue === null) return ''
  return typeof plainValue === 'string' ? plainValue : JSON.stringify(plainValue)
}

const toPlainValue = (value: AnyValue | undefined): unknown => {
  if (!value) return undefined
  if (value.arrayValue) return listObjects(value.arrayValue.values).map(toPlainValue)
  if (value.kvlistValue)
    return Object.fromEntries(
      listObjects(value.kvlistValue.values).map(({ key, value: element }) => [key, toPlainValue(element)]),
    )
  return value.stringValue ?? value.doubleValue ?? value.boolValue ?? value.intValue ?? value.bytesValue
}

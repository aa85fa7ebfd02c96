import type {
  AnyValue,
  Attribute,
  ResourceSpans,
  Scope,
  ScopeSpans,
  WireEvent,
  WireLink,
  WireSpan,
} from '@trunkline/contract/calls/otlp-trace'
import { attributeValueDepth, spanKinds, MalformedRequestError, increaseDepth, statusCodes } from './otlp-format'

type JsonObject = Record<string, unknown>

const readObject = (value: unknown, name: string): JsonObject => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedRequestError(`${name} is not an object`)
  return value as JsonObject
}

const readList = <Item>(value: unknown, name: string, readItem: (item: unknown) => Item): Item[] => {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new MalformedRequestError(`${name} is not a list`)
  return value.map(readItem)
}

const readText = (value: unknown, name: string): string => {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new MalformedRequestError(`${name} is not text`)
  return value
}

/** Reads a 64-bit integer: text, or a number, which may have lost precision. */
const readInteger64 = (value: unknown, name: string): string => {
  if (value === undefined || value === null) return '0'
  // JSON numbers that are too large become Infinity.
  const digits = typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)).toString() : value
  if (typeof digits !== 'string' || !/^-?\d{1,20}$/.test(digits))
    throw new MalformedRequestError(`${name} is not an integer`)
  return digits
}

const readNumber = (value: unknown, name: string): number => {
  // NaN, Infinity and -Infinity are text, because JSON has no numbers for them.
  const result = typeof value === 'string' ? Number(value) : value
  if (typeof result !== 'number') throw new MalformedRequestError(`${name} is not a number`)
  return result
}

/** Reads an enum value that is written as a name or number. */
const readEnumName = (value: unknown, names: readonly string[], name: string): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number') return names[value]
  return names.find((enumValue) => enumValue === readText(value, name))
}

const readOptional = <Value>(value: unknown, read: (value: unknown) => Value): Value | undefined =>
  value === undefined || value === null ? undefined : read(value)

const readAnyValue = (raw: unknown, depth: number): AnyValue => {
  const json = readObject(raw, 'value')
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = json
  if (stringValue !== undefined) return { stringValue: readText(stringValue, 'stringValue') }
  if (boolValue !== undefined) return { boolValue: boolValue === true }
  if (intValue !== undefined) return { intValue: readInteger64(intValue, 'intValue') }
  if (doubleValue !== undefined) return { doubleValue: readNumber(doubleValue, 'doubleValue') }
  if (bytesValue !== undefined) return { bytesValue: readText(bytesValue, 'bytesValue') }
  if (arrayValue) {
    const nextDepth = increaseDepth(depth)
    const { values } = readObject(arrayValue, 'arrayValue')
    return { arrayValue: { values: readList(values, 'values', (item) => readAnyValue(item ?? {}, nextDepth)) } }
  }
  if (kvlistValue) {
    const { values } = readObject(kvlistValue, 'kvlistValue')
    return { kvlistValue: { values: readAttributes(values, increaseDepth(depth)) } }
  }
  return {}
}

const readAttributes = (raw: unknown, depth: number): Attribute[] =>
  readList(raw, 'attributes', (item) => {
    const { key, value } = readObject(item, 'an attribute')
    return { key: readText(key, 'key'), ...(value ? { value: readAnyValue(value, depth) } : {}) }
  })

/** Reads the attributes of a message, if it has any. */
const readNonEmptyAttributes = (raw: unknown) => {
  const attributes = readAttributes(raw, attributeValueDepth)
  return attributes.length > 0 ? { attributes } : {}
}

const readEvent = (raw: unknown): WireEvent => {
  const { timeUnixNano, name, attributes } = readObject(raw, 'an event')
  return {
    timeUnixNano: readInteger64(timeUnixNano, 'timeUnixNano'),
    name: readText(name, 'name'),
    ...readNonEmptyAttributes(attributes),
  }
}

const readLink = (raw: unknown): WireLink => {
  const { traceId, spanId, attributes } = readObject(raw, 'a link')
  return {
    traceId: readText(traceId, 'traceId'),
    spanId: readText(spanId, 'spanId'),
    ...readNonEmptyAttributes(attributes),
  }
}

const readStatus = (raw: unknown): NonNullable<WireSpan['status']> => {
  const { code, message } = readObject(raw, 'status')
  const codeName = readEnumName(code, statusCodes, 'code')
  return { ...(codeName ? { code: codeName } : {}), ...(message ? { message: readText(message, 'message') } : {}) }
}

const readSpan = (raw: unknown): WireSpan => {
  const json = readObject(raw, 'a span')
  const kind = readEnumName(json.kind, spanKinds, 'kind')
  const status = readOptional(json.status, readStatus)
  const events = readList(json.events, 'events', readEvent)
  const links = readList(json.links, 'links', readLink)
  return {
    traceId: readText(json.traceId, 'traceId').toLowerCase(),
    spanId: readText(json.spanId, 'spanId').toLowerCase(),
    parentSpanId: readText(json.parentSpanId, 'parentSpanId').toLowerCase(),
    name: readText(json.name, 'name'),
    ...(kind ? { kind } : {}),
    startTimeUnixNano: readInteger64(json.startTimeUnixNano, 'startTimeUnixNano'),
    endTimeUnixNano: readInteger64(json.endTimeUnixNano, 'endTimeUnixNano'),
    ...readNonEmptyAttributes(json.attributes),
    ...(events.length > 0 ? { events } : {}),
    ...(links.length > 0 ? { links } : {}),
    ...(status ? { status } : {}),
  }
}

const readScope = (raw: unknown): Scope => {
  const { name, version } = readObject(raw, 'scope')
  return { name: readText(name, 'name'), ...(version ? { version: readText(version, 'version') } : {}) }
}

const readScopeSpans = (raw: unknown): ScopeSpans => {
  const json = readObject(raw, 'scopeSpans')
  const scope = readOptional(json.scope ?? json.instrumentationLibrary, readScope)
  return { ...(scope ? { scope } : {}), spans: readList(json.spans, 'spans', readSpan) }
}

const readResourceSpans = (raw: unknown): ResourceSpans => {
  const json = readObject(raw, 'resourceSpans')
  const resource = readOptional(json.resource, (item) =>
    readNonEmptyAttributes(readObject(item, 'resource').attributes),
  )
  const groups = json.scopeSpans ?? json.instrumentationLibrarySpans
  return { ...(resource ? { resource } : {}), scopeSpans: readList(groups, 'scopeSpans', readScopeSpans) }
}

/** Reads an export request in JSON. The result has the same format as for protobuf. Throws MalformedRequestError. */
export const readJsonRequest = (bytes: Buffer): ResourceSpans[] => {
  let json: unknown
  try {
    json = JSON.parse(bytes.toString())
  } catch {
    throw new MalformedRequestError('invalid JSON')
  }
  return readList(readObject(json, 'the request').resourceSpans, 'resourceSpans', readResourceSpans)
}

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
import { spanKinds, MalformedRequestError, increaseDepth, statusCodes } from './otlp-format'

type JsonObject = Record<string, unknown>

const object = (value: unknown, name: string): JsonObject => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedRequestError(`${name} is not an object`)
  return value as JsonObject
}

const list = <Part>(value: unknown, name: string, read: (item: unknown) => Part): Part[] => {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new MalformedRequestError(`${name} is not a list`)
  return value.map(read)
}

const text = (value: unknown, name: string): string => {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new MalformedRequestError(`${name} is not text`)
  return value
}

/** A 64-bit integer: text, or a number with the precision that its writer accepts. */
const integer64 = (value: unknown, name: string): string => {
  if (value === undefined || value === null) return '0'
  // JSON numbers that are too large become Infinity.
  const digits = typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)).toString() : value
  if (typeof digits !== 'string' || !/^-?\d{1,20}$/.test(digits))
    throw new MalformedRequestError(`${name} is not an integer`)
  return digits
}

const number = (value: unknown, name: string): number => {
  // JSON has no numbers for these, so they are text: NaN, Infinity, -Infinity.
  const result = typeof value === 'string' ? Number(value) : value
  if (typeof result !== 'number') throw new MalformedRequestError(`${name} is not a number`)
  return result
}

/** An enum value, by name or number. */
const enumName = (value: unknown, names: readonly string[], name: string): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number') return names[value]
  return names.find((enumValue) => enumValue === text(value, name))
}

const optional = <Value>(value: unknown, read: (value: unknown) => Value): Value | undefined =>
  value === undefined || value === null ? undefined : read(value)

const valueOf = (raw: unknown, depth: number): AnyValue => {
  const json = object(raw, 'value')
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = json
  if (stringValue !== undefined) return { stringValue: text(stringValue, 'stringValue') }
  if (boolValue !== undefined) return { boolValue: boolValue === true }
  if (intValue !== undefined) return { intValue: integer64(intValue, 'intValue') }
  if (doubleValue !== undefined) return { doubleValue: number(doubleValue, 'doubleValue') }
  if (bytesValue !== undefined) return { bytesValue: text(bytesValue, 'bytesValue') }
  if (arrayValue) {
    const nextDepth = increaseDepth(depth)
    const { values } = object(arrayValue, 'arrayValue')
    return { arrayValue: { values: list(values, 'values', (item) => valueOf(item ?? {}, nextDepth)) } }
  }
  if (kvlistValue) {
    const { values } = object(kvlistValue, 'kvlistValue')
    return { kvlistValue: { values: attributesOf(values, increaseDepth(depth)) } }
  }
  return {}
}

const attributesOf = (raw: unknown, depth: number): Attribute[] =>
  list(raw, 'attributes', (item) => {
    const { key, value } = object(item, 'an attribute')
    return { key: text(key, 'key'), ...(value ? { value: valueOf(value, depth) } : {}) }
  })

/** The attributes of a message, if it has any. */
const withAttributes = (raw: unknown) => {
  const attributes = attributesOf(raw, 7)
  return attributes.length > 0 ? { attributes } : {}
}

const eventOf = (raw: unknown): WireEvent => {
  const { timeUnixNano, name, attributes } = object(raw, 'an event')
  return {
    timeUnixNano: integer64(timeUnixNano, 'timeUnixNano'),
    name: text(name, 'name'),
    ...withAttributes(attributes),
  }
}

const linkOf = (raw: unknown): WireLink => {
  const { traceId, spanId, attributes } = object(raw, 'a link')
  return { traceId: text(traceId, 'traceId'), spanId: text(spanId, 'spanId'), ...withAttributes(attributes) }
}

const statusOf = (raw: unknown): NonNullable<WireSpan['status']> => {
  const { code, message } = object(raw, 'status')
  const codeName = enumName(code, statusCodes, 'code')
  return { ...(codeName ? { code: codeName } : {}), ...(message ? { message: text(message, 'message') } : {}) }
}

const spanOf = (raw: unknown): WireSpan => {
  const json = object(raw, 'a span')
  const kind = enumName(json.kind, spanKinds, 'kind')
  const status = optional(json.status, statusOf)
  const events = list(json.events, 'events', eventOf)
  const links = list(json.links, 'links', linkOf)
  return {
    traceId: text(json.traceId, 'traceId').toLowerCase(),
    spanId: text(json.spanId, 'spanId').toLowerCase(),
    parentSpanId: text(json.parentSpanId, 'parentSpanId').toLowerCase(),
    name: text(json.name, 'name'),
    ...(kind ? { kind } : {}),
    startTimeUnixNano: integer64(json.startTimeUnixNano, 'startTimeUnixNano'),
    endTimeUnixNano: integer64(json.endTimeUnixNano, 'endTimeUnixNano'),
    ...withAttributes(json.attributes),
    ...(events.length > 0 ? { events } : {}),
    ...(links.length > 0 ? { links } : {}),
    ...(status ? { status } : {}),
  }
}

const scopeOf = (raw: unknown): Scope => {
  const { name, version } = object(raw, 'scope')
  return { name: text(name, 'name'), ...(version ? { version: text(version, 'version') } : {}) }
}

const groupOf = (raw: unknown): ScopeSpans => {
  const json = object(raw, 'scopeSpans')
  const scope = optional(json.scope ?? json.instrumentationLibrary, scopeOf)
  return { ...(scope ? { scope } : {}), spans: list(json.spans, 'spans', spanOf) }
}

const resourceOf = (raw: unknown): ResourceSpans => {
  const json = object(raw, 'resourceSpans')
  const resource = optional(json.resource, (item) => withAttributes(object(item, 'resource').attributes))
  const groups = json.scopeSpans ?? json.instrumentationLibrarySpans
  return { ...(resource ? { resource } : {}), scopeSpans: list(groups, 'scopeSpans', groupOf) }
}

/** Reads an export request in JSON, to the same format as one in protobuf. Throws MalformedRequestError. */
export const fromJson = (bytes: Buffer): ResourceSpans[] => {
  let json: unknown
  try {
    json = JSON.parse(bytes.toString())
  } catch {
    throw new MalformedRequestError('invalid JSON')
  }
  return list(object(json, 'the request').resourceSpans, 'resourceSpans', resourceOf)
}

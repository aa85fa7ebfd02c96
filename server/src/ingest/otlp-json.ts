import type {
  AnyValue,
  Attribute,
  ResourceSpans,
  Scope,
  ScopeSpans,
  WireEvent,
  WireLink,
  WireSpan,
} from '@trunkline/contract/calls/spans-wire'
import { kinds, Malformed, nested, statuses } from './otlp-format'

type Found = Record<string, unknown>

const object = (value: unknown, name: string): Found => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed(`${name} is no object`)
  return value as Found
}

const list = <Part>(value: unknown, name: string, read: (each: unknown) => Part): Part[] => {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new Malformed(`${name} is no list`)
  return value.map(read)
}

const text = (value: unknown, name: string): string => {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new Malformed(`${name} is no text`)
  return value
}

/** A whole number of 64 bits: text, or a number where that is exact enough for its writer. */
const whole = (value: unknown, name: string): string => {
  if (value === undefined || value === null) return '0'
  // what is too large for a number is read as infinite
  const digits = typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)).toString() : value
  if (typeof digits !== 'string' || !/^-?\d{1,20}$/.test(digits)) throw new Malformed(`${name} is no whole number`)
  return digits
}

const number = (value: unknown, name: string): number => {
  // What JSON has no number for is written as text: NaN, Infinity, -Infinity.
  const found = typeof value === 'string' ? Number(value) : value
  if (typeof found !== 'number') throw new Malformed(`${name} is no number`)
  return found
}

/** A name, or its number. */
const named = (value: unknown, names: readonly string[], name: string): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number') return names[value]
  return names.find((each) => each === text(value, name))
}

const part = <Value>(value: unknown, read: (value: unknown) => Value): Value | undefined =>
  value === undefined || value === null ? undefined : read(value)

const valueOf = (raw: unknown, depth: number): AnyValue => {
  const found = object(raw, 'value')
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = found
  if (stringValue !== undefined) return { stringValue: text(stringValue, 'stringValue') }
  if (boolValue !== undefined) return { boolValue: boolValue === true }
  if (intValue !== undefined) return { intValue: whole(intValue, 'intValue') }
  if (doubleValue !== undefined) return { doubleValue: number(doubleValue, 'doubleValue') }
  if (bytesValue !== undefined) return { bytesValue: text(bytesValue, 'bytesValue') }
  if (arrayValue) {
    const deeper = nested(depth)
    const { values } = object(arrayValue, 'arrayValue')
    return { arrayValue: { values: list(values, 'values', (each) => valueOf(each ?? {}, deeper)) } }
  }
  if (kvlistValue) {
    const { values } = object(kvlistValue, 'kvlistValue')
    return { kvlistValue: { values: attributesOf(values, nested(depth)) } }
  }
  return {}
}

const attributesOf = (raw: unknown, depth: number): Attribute[] =>
  list(raw, 'attributes', (each) => {
    const { key, value } = object(each, 'an attribute')
    return { key: text(key, 'key'), ...(value ? { value: valueOf(value, depth) } : {}) }
  })

/** What every part with attributes has of them. */
const withAttributes = (raw: unknown) => {
  const attributes = attributesOf(raw, 7)
  return attributes.length > 0 ? { attributes } : {}
}

const eventOf = (raw: unknown): WireEvent => {
  const { timeUnixNano, name, attributes } = object(raw, 'an event')
  return {
    timeUnixNano: whole(timeUnixNano, 'timeUnixNano'),
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
  const word = named(code, statuses, 'code')
  return { ...(word ? { code: word } : {}), ...(message ? { message: text(message, 'message') } : {}) }
}

const spanOf = (raw: unknown): WireSpan => {
  const found = object(raw, 'a span')
  const kind = named(found.kind, kinds, 'kind')
  const status = part(found.status, statusOf)
  const events = list(found.events, 'events', eventOf)
  const links = list(found.links, 'links', linkOf)
  return {
    traceId: text(found.traceId, 'traceId').toLowerCase(),
    spanId: text(found.spanId, 'spanId').toLowerCase(),
    parentSpanId: text(found.parentSpanId, 'parentSpanId').toLowerCase(),
    name: text(found.name, 'name'),
    ...(kind ? { kind } : {}),
    startTimeUnixNano: whole(found.startTimeUnixNano, 'startTimeUnixNano'),
    endTimeUnixNano: whole(found.endTimeUnixNano, 'endTimeUnixNano'),
    ...withAttributes(found.attributes),
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
  const found = object(raw, 'scopeSpans')
  const scope = part(found.scope ?? found.instrumentationLibrary, scopeOf)
  return { ...(scope ? { scope } : {}), spans: list(found.spans, 'spans', spanOf) }
}

const resourceOf = (raw: unknown): ResourceSpans => {
  const found = object(raw, 'resourceSpans')
  const resource = part(found.resource, (each) => withAttributes(object(each, 'resource').attributes))
  const groups = found.scopeSpans ?? found.instrumentationLibrarySpans
  return { ...(resource ? { resource } : {}), scopeSpans: list(groups, 'scopeSpans', groupOf) }
}

/** Reads an export request in JSON, to the same form as one in protobuf. Throws Malformed. */
export const fromJson = (bytes: Buffer): ResourceSpans[] => {
  let found: unknown
  try {
    found = JSON.parse(bytes.toString())
  } catch {
    throw new Malformed('it is no JSON')
  }
  return list(object(found, 'the request').resourceSpans, 'resourceSpans', resourceOf)
}

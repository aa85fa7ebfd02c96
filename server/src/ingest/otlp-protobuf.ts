import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
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

/** The bytes of a request, and where we are in them. */
interface Input {
  reader: BinaryReader
  bytes: Buffer
}

/** Reads one field; its number is the key under which it stands. */
type Fields<Target> = Record<
  number,
  [type: WireType, read: (input: Input, into: Target, depth: number, end: number) => void]
>

const lengthOf = ({ reader }: Input, end: number): number => {
  const length = reader.uint32()
  if (reader.pos + length > end) throw new Malformed('a part is longer than the whole')
  return length
}

/** Reads a message up to its end; what it does not know it skips, as the format wants it. */
const message = <Target>(input: Input, fields: Fields<Target>, into: Target, depth: number, end: number): Target => {
  const { reader } = input
  while (reader.pos < end) {
    const [number, type] = reader.tag()
    const field = fields[number]
    if (!field) reader.skip(type, number)
    else if (field[0] !== type) throw new Malformed(`field ${number} is of another type`)
    else field[1](input, into, depth, end)
  }
  if (reader.pos !== end) throw new Malformed('a part is longer than the whole')
  return into
}

const inner = <Target>(input: Input, fields: Fields<Target>, into: Target, depth: number, end: number): Target => {
  const length = lengthOf(input, end)
  return message(input, fields, into, nested(depth), input.reader.pos + length)
}

const slice = (input: Input, end: number, encoding: 'utf8' | 'hex' | 'base64'): string => {
  const length = lengthOf(input, end)
  const from = input.reader.pos
  input.reader.pos = from + length
  return input.bytes.toString(encoding, from, from + length)
}

const text = <Target>(set: (into: Target, value: string) => void, encoding: 'utf8' | 'hex' | 'base64' = 'utf8') =>
  [
    WireType.LengthDelimited,
    (input: Input, into: Target, _: number, end: number) => set(into, slice(input, end, encoding)),
  ] satisfies Fields<Target>[number]

const part = <Target, Part>(
  fields: () => Fields<Part>,
  fresh: () => Part,
  add: (into: Target, part: Part) => void,
): Fields<Target>[number] => [
  WireType.LengthDelimited,
  (input, into, depth, end) => add(into, inner(input, fields(), fresh(), depth, end)),
]

const nanos = <Target>(set: (into: Target, value: string) => void): Fields<Target>[number] => [
  WireType.Bit64,
  ({ reader }, into) => set(into, String(reader.fixed64())),
]

const value: Fields<AnyValue> = {
  1: text((into, found) => (into.stringValue = found)),
  2: [WireType.Varint, ({ reader }, into) => (into.boolValue = reader.bool())],
  3: [WireType.Varint, ({ reader }, into) => (into.intValue = String(reader.int64()))],
  4: [WireType.Bit64, ({ reader }, into) => (into.doubleValue = reader.double())],
  5: part(
    () => list,
    (): AnyValue[] => [],
    (into, values) => (into.arrayValue = { values }),
  ),
  6: part(
    () => map,
    (): Attribute[] => [],
    (into, values) => (into.kvlistValue = { values }),
  ),
  7: text((into, found) => (into.bytesValue = found), 'base64'),
}

const attribute: Fields<Attribute> = {
  1: text((into, found) => (into.key = found)),
  2: part(
    () => value,
    (): AnyValue => ({}),
    (into, found) => (into.value = found),
  ),
}

const newAttribute = (): Attribute => ({ key: '' })

const list: Fields<AnyValue[]> = {
  1: part(
    () => value,
    (): AnyValue => ({}),
    (into, found) => into.push(found),
  ),
}
const map: Fields<Attribute[]> = {
  1: part(
    () => attribute,
    newAttribute,
    (into, found) => into.push(found),
  ),
}

const attributes = <Target extends { attributes?: Attribute[] }>(): Fields<Target>[number] =>
  part(
    () => attribute,
    newAttribute,
    (into, found) => (into.attributes ??= []).push(found),
  )

const event: Fields<WireEvent> = {
  1: nanos((into, found) => (into.timeUnixNano = found)),
  2: text((into, found) => (into.name = found)),
  3: attributes(),
}

const link: Fields<WireLink> = {
  1: text((into, found) => (into.traceId = found), 'hex'),
  2: text((into, found) => (into.spanId = found), 'hex'),
  4: attributes(),
}

const status: Fields<NonNullable<WireSpan['status']>> = {
  2: text((into, found) => (into.message = found)),
  3: [WireType.Varint, ({ reader }, into) => (into.code = statuses[reader.int32()])],
}

const span: Fields<WireSpan> = {
  1: text((into, found) => (into.traceId = found), 'hex'),
  2: text((into, found) => (into.spanId = found), 'hex'),
  4: text((into, found) => (into.parentSpanId = found), 'hex'),
  5: text((into, found) => (into.name = found)),
  6: [WireType.Varint, ({ reader }, into) => (into.kind = kinds[reader.int32()])],
  7: nanos((into, found) => (into.startTimeUnixNano = found)),
  8: nanos((into, found) => (into.endTimeUnixNano = found)),
  9: attributes(),
  11: part(
    () => event,
    (): WireEvent => ({}),
    (into, found) => (into.events ??= []).push(found),
  ),
  13: part(
    () => link,
    (): WireLink => ({ traceId: '', spanId: '' }),
    (into, found) => (into.links ??= []).push(found),
  ),
  15: part(
    () => status,
    (): NonNullable<WireSpan['status']> => ({}),
    (into, found) => (into.status = found),
  ),
}

const newSpan = (): WireSpan => ({ traceId: '', spanId: '', name: '', startTimeUnixNano: '0', endTimeUnixNano: '0' })

const scope: Fields<Scope> = {
  1: text((into, found) => (into.name = found)),
  2: text((into, found) => (into.version = found)),
}

const scopeSpans: Fields<ScopeSpans> = {
  1: part(
    () => scope,
    (): Scope => ({}),
    (into, found) => (into.scope = found),
  ),
  2: part(
    () => span,
    newSpan,
    (into, found) => (into.spans ??= []).push(found),
  ),
}

const resource: Fields<NonNullable<ResourceSpans['resource']>> = { 1: attributes() }

const resourceSpans: Fields<ResourceSpans> = {
  1: part(
    () => resource,
    (): NonNullable<ResourceSpans['resource']> => ({}),
    (into, found) => (into.resource = found),
  ),
  2: part(
    () => scopeSpans,
    (): ScopeSpans => ({}),
    (into, found) => (into.scopeSpans ??= []).push(found),
  ),
}

const request: Fields<ResourceSpans[]> = {
  1: part(
    () => resourceSpans,
    (): ResourceSpans => ({}),
    (into, found) => into.push(found),
  ),
}

/** Reads an ExportTraceServiceRequest; the IDs of spans come out as hexadecimal digits. Throws Malformed. */
export const fromProtobuf = (bytes: Buffer): ResourceSpans[] => {
  try {
    return message({ reader: new BinaryReader(bytes), bytes }, request, [], 0, bytes.length)
  } catch (error) {
    throw error instanceof Malformed ? error : new Malformed(error instanceof Error ? error.message : String(error))
  }
}

/** An ExportTraceServiceResponse: nothing, or how many spans were not taken and why. */
export const successBytes = (rejected: number, why: string): Uint8Array => {
  if (rejected === 0) return new Uint8Array()
  const writer = new BinaryWriter()
  writer.tag(1, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.Varint).int64(rejected)
  writer.tag(2, WireType.LengthDelimited).string(why)
  return writer.join().finish()
}

/** A google.rpc.Status, the form in which the protocol wants refusals. */
export const statusBytes = (code: number, why: string): Uint8Array => {
  const writer = new BinaryWriter()
  writer.tag(1, WireType.Varint).int32(code)
  return writer.tag(2, WireType.LengthDelimited).string(why).finish()
}

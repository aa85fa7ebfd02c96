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
} from '@trunkline/contract/calls/otlp-trace'
import { spanKinds, MalformedRequestError, increaseDepth, statusCodes } from './otlp-format'

/** The bytes of a request and the current position. */
interface Input {
  reader: BinaryReader
  bytes: Buffer
}

/** Readers of fields by field number. */
type Fields<Target> = Record<
  number,
  [type: WireType, read: (input: Input, target: Target, depth: number, end: number) => void]
>

const lengthOf = ({ reader }: Input, end: number): number => {
  const length = reader.uint32()
  if (reader.pos + length > end) throw new MalformedRequestError('a field is longer than its message')
  return length
}

/** Reads a message up to its end. Skips unknown fields, as the format demands. */
const readMessage = <Target>(
  input: Input,
  fields: Fields<Target>,
  target: Target,
  depth: number,
  end: number,
): Target => {
  const { reader } = input
  while (reader.pos < end) {
    const [number, type] = reader.tag()
    const field = fields[number]
    if (!field) reader.skip(type, number)
    else if (field[0] !== type) throw new MalformedRequestError(`field ${number} has the wrong type`)
    else field[1](input, target, depth, end)
  }
  if (reader.pos !== end) throw new MalformedRequestError('a field is longer than its message')
  return target
}

const readNested = <Target>(
  input: Input,
  fields: Fields<Target>,
  target: Target,
  depth: number,
  end: number,
): Target => {
  const length = lengthOf(input, end)
  return readMessage(input, fields, target, increaseDepth(depth), input.reader.pos + length)
}

const readBytes = (input: Input, end: number, encoding: 'utf8' | 'hex' | 'base64'): string => {
  const length = lengthOf(input, end)
  const from = input.reader.pos
  input.reader.pos = from + length
  return input.bytes.toString(encoding, from, from + length)
}

const text = <Target>(set: (target: Target, value: string) => void, encoding: 'utf8' | 'hex' | 'base64' = 'utf8') =>
  [
    WireType.LengthDelimited,
    (input: Input, target: Target, _: number, end: number) => set(target, readBytes(input, end, encoding)),
  ] satisfies Fields<Target>[number]

const part = <Target, Part>(
  fields: () => Fields<Part>,
  create: () => Part,
  add: (target: Target, part: Part) => void,
): Fields<Target>[number] => [
  WireType.LengthDelimited,
  (input, target, depth, end) => add(target, readNested(input, fields(), create(), depth, end)),
]

const nanos = <Target>(set: (target: Target, value: string) => void): Fields<Target>[number] => [
  WireType.Bit64,
  ({ reader }, target) => set(target, String(reader.fixed64())),
]

const value: Fields<AnyValue> = {
  1: text((target, value) => (target.stringValue = value)),
  2: [WireType.Varint, ({ reader }, target) => (target.boolValue = reader.bool())],
  3: [WireType.Varint, ({ reader }, target) => (target.intValue = String(reader.int64()))],
  4: [WireType.Bit64, ({ reader }, target) => (target.doubleValue = reader.double())],
  5: part(
    () => list,
    (): AnyValue[] => [],
    (target, values) => (target.arrayValue = { values }),
  ),
  6: part(
    () => map,
    (): Attribute[] => [],
    (target, values) => (target.kvlistValue = { values }),
  ),
  7: text((target, value) => (target.bytesValue = value), 'base64'),
}

const attribute: Fields<Attribute> = {
  1: text((target, value) => (target.key = value)),
  2: part(
    () => value,
    (): AnyValue => ({}),
    (target, value) => (target.value = value),
  ),
}

const newAttribute = (): Attribute => ({ key: '' })

const list: Fields<AnyValue[]> = {
  1: part(
    () => value,
    (): AnyValue => ({}),
    (target, value) => target.push(value),
  ),
}
const map: Fields<Attribute[]> = {
  1: part(
    () => attribute,
    newAttribute,
    (target, value) => target.push(value),
  ),
}

const attributes = <Target extends { attributes?: Attribute[] }>(): Fields<Target>[number] =>
  part(
    () => attribute,
    newAttribute,
    (target, value) => (target.attributes ??= []).push(value),
  )

const event: Fields<WireEvent> = {
  1: nanos((target, value) => (target.timeUnixNano = value)),
  2: text((target, value) => (target.name = value)),
  3: attributes(),
}

const link: Fields<WireLink> = {
  1: text((target, value) => (target.traceId = value), 'hex'),
  2: text((target, value) => (target.spanId = value), 'hex'),
  4: attributes(),
}

const status: Fields<NonNullable<WireSpan['status']>> = {
  2: text((target, value) => (target.message = value)),
  3: [WireType.Varint, ({ reader }, target) => (target.code = statusCodes[reader.int32()])],
}

const span: Fields<WireSpan> = {
  1: text((target, value) => (target.traceId = value), 'hex'),
  2: text((target, value) => (target.spanId = value), 'hex'),
  4: text((target, value) => (target.parentSpanId = value), 'hex'),
  5: text((target, value) => (target.name = value)),
  6: [WireType.Varint, ({ reader }, target) => (target.kind = spanKinds[reader.int32()])],
  7: nanos((target, value) => (target.startTimeUnixNano = value)),
  8: nanos((target, value) => (target.endTimeUnixNano = value)),
  9: attributes(),
  11: part(
    () => event,
    (): WireEvent => ({}),
    (target, value) => (target.events ??= []).push(value),
  ),
  13: part(
    () => link,
    (): WireLink => ({ traceId: '', spanId: '' }),
    (target, value) => (target.links ??= []).push(value),
  ),
  15: part(
    () => status,
    (): NonNullable<WireSpan['status']> => ({}),
    (target, value) => (target.status = value),
  ),
}

const newSpan = (): WireSpan => ({ traceId: '', spanId: '', name: '', startTimeUnixNano: '0', endTimeUnixNano: '0' })

const scope: Fields<Scope> = {
  1: text((target, value) => (target.name = value)),
  2: text((target, value) => (target.version = value)),
}

const scopeSpans: Fields<ScopeSpans> = {
  1: part(
    () => scope,
    (): Scope => ({}),
    (target, value) => (target.scope = value),
  ),
  2: part(
    () => span,
    newSpan,
    (target, value) => (target.spans ??= []).push(value),
  ),
}

const resource: Fields<NonNullable<ResourceSpans['resource']>> = { 1: attributes() }

const resourceSpans: Fields<ResourceSpans> = {
  1: part(
    () => resource,
    (): NonNullable<ResourceSpans['resource']> => ({}),
    (target, value) => (target.resource = value),
  ),
  2: part(
    () => scopeSpans,
    (): ScopeSpans => ({}),
    (target, value) => (target.scopeSpans ??= []).push(value),
  ),
}

const request: Fields<ResourceSpans[]> = {
  1: part(
    () => resourceSpans,
    (): ResourceSpans => ({}),
    (target, value) => target.push(value),
  ),
}

/** Reads an ExportTraceServiceRequest; span IDs become hexadecimal text. Throws MalformedRequestError. */
export const fromProtobuf = (bytes: Buffer): ResourceSpans[] => {
  try {
    return readMessage({ reader: new BinaryReader(bytes), bytes }, request, [], 0, bytes.length)
  } catch (error) {
    throw error instanceof MalformedRequestError
      ? error
      : new MalformedRequestError(error instanceof Error ? error.message : String(error))
  }
}

/** An ExportTraceServiceResponse: empty, or the number of rejected spans with a reason. */
export const successBytes = (rejected: number, reason: string): Uint8Array => {
  if (rejected === 0) return new Uint8Array()
  const writer = new BinaryWriter()
  writer.tag(1, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.Varint).int64(rejected)
  writer.tag(2, WireType.LengthDelimited).string(reason)
  return writer.join().finish()
}

/** A google.rpc.Status, the protocol's format for errors. */
export const statusBytes = (code: number, message: string): Uint8Array => {
  const writer = new BinaryWriter()
  writer.tag(1, WireType.Varint).int32(code)
  return writer.tag(2, WireType.LengthDelimited).string(message).finish()
}

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

/** A request: its bytes, and the reader with the current position. */
interface MessageInput {
  reader: BinaryReader
  bytes: Buffer
}

/** Readers of fields by field number. A reader adds its field to `target`; the message ends at position `end`. */
type FieldReaders<Target> = Record<
  number,
  [type: WireType, read: (input: MessageInput, target: Target, depth: number, end: number) => void]
>

const readLength = ({ reader }: MessageInput, end: number): number => {
  const length = reader.uint32()
  if (reader.pos + length > end) throw new MalformedRequestError('a field is longer than its message')
  return length
}

/** Reads a message up to its end. Skips unknown fields, as the format demands. */
const readMessage = <Target>(
  input: MessageInput,
  fields: FieldReaders<Target>,
  target: Target,
  depth: number,
  end: number,
): Target => {
  const { reader } = input
  while (reader.pos < end) {
    const [fieldNumber, type] = reader.tag()
    const field = fields[fieldNumber]
    if (!field) reader.skip(type, fieldNumber)
    else if (field[0] !== type) throw new MalformedRequestError(`field ${fieldNumber} has the wrong type`)
    else field[1](input, target, depth, end)
  }
  if (reader.pos !== end) throw new MalformedRequestError('a field is longer than its message')
  return target
}

const readNested = <Target>(
  input: MessageInput,
  fields: FieldReaders<Target>,
  target: Target,
  depth: number,
  end: number,
): Target => {
  const length = readLength(input, end)
  return readMessage(input, fields, target, increaseDepth(depth), input.reader.pos + length)
}

const readBytes = (input: MessageInput, end: number, encoding: 'utf8' | 'hex' | 'base64'): string => {
  const length = readLength(input, end)
  const from = input.reader.pos
  input.reader.pos = from + length
  return input.bytes.toString(encoding, from, from + length)
}

const textField = <Target>(
  set: (target: Target, value: string) => void,
  encoding: 'utf8' | 'hex' | 'base64' = 'utf8',
) =>
  [
    WireType.LengthDelimited,
    (input: MessageInput, target: Target, _: number, end: number) => set(target, readBytes(input, end, encoding)),
  ] satisfies FieldReaders<Target>[number]

const messageField = <Target, Message>(
  fields: () => FieldReaders<Message>,
  create: () => Message,
  add: (target: Target, message: Message) => void,
): FieldReaders<Target>[number] => [
  WireType.LengthDelimited,
  (input, target, depth, end) => add(target, readNested(input, fields(), create(), depth, end)),
]

const timestampField = <Target>(set: (target: Target, value: string) => void): FieldReaders<Target>[number] => [
  WireType.Bit64,
  ({ reader }, target) => set(target, String(reader.fixed64())),
]

const anyValueFields: FieldReaders<AnyValue> = {
  1: textField((target, value) => (target.stringValue = value)),
  2: [WireType.Varint, ({ reader }, target) => (target.boolValue = reader.bool())],
  3: [WireType.Varint, ({ reader }, target) => (target.intValue = String(reader.int64()))],
  4: [WireType.Bit64, ({ reader }, target) => (target.doubleValue = reader.double())],
  5: messageField(
    () => valueListFields,
    (): AnyValue[] => [],
    (target, values) => (target.arrayValue = { values }),
  ),
  6: messageField(
    () => attributeListFields,
    (): Attribute[] => [],
    (target, values) => (target.kvlistValue = { values }),
  ),
  7: textField((target, value) => (target.bytesValue = value), 'base64'),
}

const attributeFields: FieldReaders<Attribute> = {
  1: textField((target, value) => (target.key = value)),
  2: messageField(
    () => anyValueFields,
    (): AnyValue => ({}),
    (target, value) => (target.value = value),
  ),
}

const newAttribute = (): Attribute => ({ key: '' })

const valueListFields: FieldReaders<AnyValue[]> = {
  1: messageField(
    () => anyValueFields,
    (): AnyValue => ({}),
    (target, value) => target.push(value),
  ),
}
const attributeListFields: FieldReaders<Attribute[]> = {
  1: messageField(
    () => attributeFields,
    newAttribute,
    (target, value) => target.push(value),
  ),
}

const attributesField = <Target extends { attributes?: Attribute[] }>(): FieldReaders<Target>[number] =>
  messageField(
    () => attributeFields,
    newAttribute,
    (target, value) => (target.attributes ??= []).push(value),
  )

const eventFields: FieldReaders<WireEvent> = {
  1: timestampField((target, value) => (target.timeUnixNano = value)),
  2: textField((target, value) => (target.name = value)),
  3: attributesField(),
}

const linkFields: FieldReaders<WireLink> = {
  1: textField((target, value) => (target.traceId = value), 'hex'),
  2: textField((target, value) => (target.spanId = value), 'hex'),
  4: attributesField(),
}

const statusFields: FieldReaders<NonNullable<WireSpan['status']>> = {
  2: textField((target, value) => (target.message = value)),
  3: [WireType.Varint, ({ reader }, target) => (target.code = statusCodes[reader.int32()])],
}

const spanFields: FieldReaders<WireSpan> = {
  1: textField((target, value) => (target.traceId = value), 'hex'),
  2: textField((target, value) => (target.spanId = value), 'hex'),
  4: textField((target, value) => (target.parentSpanId = value), 'hex'),
  5: textField((target, value) => (target.name = value)),
  6: [WireType.Varint, ({ reader }, target) => (target.kind = spanKinds[reader.int32()])],
  7: timestampField((target, value) => (target.startTimeUnixNano = value)),
  8: timestampField((target, value) => (target.endTimeUnixNano = value)),
  9: attributesField(),
  11: messageField(
    () => eventFields,
    (): WireEvent => ({}),
    (target, value) => (target.events ??= []).push(value),
  ),
  13: messageField(
    () => linkFields,
    (): WireLink => ({ traceId: '', spanId: '' }),
    (target, value) => (target.links ??= []).push(value),
  ),
  15: messageField(
    () => statusFields,
    (): NonNullable<WireSpan['status']> => ({}),
    (target, value) => (target.status = value),
  ),
}

const newSpan = (): WireSpan => ({ traceId: '', spanId: '', name: '', startTimeUnixNano: '0', endTimeUnixNano: '0' })

const scopeFields: FieldReaders<Scope> = {
  1: textField((target, value) => (target.name = value)),
  2: textField((target, value) => (target.version = value)),
}

const scopeSpansFields: FieldReaders<ScopeSpans> = {
  1: messageField(
    () => scopeFields,
    (): Scope => ({}),
    (target, value) => (target.scope = value),
  ),
  2: messageField(
    () => spanFields,
    newSpan,
    (target, value) => (target.spans ??= []).push(value),
  ),
}

const resourceFields: FieldReaders<NonNullable<ResourceSpans['resource']>> = { 1: attributesField() }

const resourceSpansFields: FieldReaders<ResourceSpans> = {
  1: messageField(
    () => resourceFields,
    (): NonNullable<ResourceSpans['resource']> => ({}),
    (target, value) => (target.resource = value),
  ),
  2: messageField(
    () => scopeSpansFields,
    (): ScopeSpans => ({}),
    (target, value) => (target.scopeSpans ??= []).push(value),
  ),
}

const requestFields: FieldReaders<ResourceSpans[]> = {
  1: messageField(
    () => resourceSpansFields,
    (): ResourceSpans => ({}),
    (target, value) => target.push(value),
  ),
}

/** Reads an ExportTraceServiceRequest; span IDs become hexadecimal text. Throws MalformedRequestError. */
export const readProtobufRequest = (bytes: Buffer): ResourceSpans[] => {
  try {
    return readMessage({ reader: new BinaryReader(bytes), bytes }, requestFields, [], 0, bytes.length)
  } catch (error) {
    throw error instanceof MalformedRequestError
      ? error
      : new MalformedRequestError(error instanceof Error ? error.message : String(error))
  }
}

/** An ExportTraceServiceResponse: empty, or the number of rejected spans with a reason. */
export const encodeResponse = (rejectedCount: number, reason: string): Uint8Array => {
  if (rejectedCount === 0) return new Uint8Array()
  const writer = new BinaryWriter()
  writer.tag(1, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.Varint).int64(rejectedCount)
  writer.tag(2, WireType.LengthDelimited).string(reason)
  return writer.join().finish()
}

/** A google.rpc.Status, the protocol's format for errors. */
export const encodeStatus = (code: number, message: string): Uint8Array => {
  const writer = new BinaryWriter()
  writer.tag(1, WireType.Varint).int32(code)
  return writer.tag(2, WireType.LengthDelimited).string(message).finish()
}

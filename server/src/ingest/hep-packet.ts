import { inflateSync, gunzipSync } from 'node:zlib'
import type { Endpoint } from '../ports/captures'

/** A captured message in HEP, version 3. */
export interface HepPacket {
  /** Protocol of the payload; 1 is SIP. */
  payloadType: number
  source: Endpoint
  target: Endpoint
  /** Microseconds since 1970. */
  time: number
  /** The sender's authentication key. */
  key: Buffer | undefined
  payload: Buffer
}

export const sipPayloadType = 1

/** Every packet of version 3 starts with this name and its length. */
const magic = Buffer.from('HEP3')
const headerBytes = 6
const chunkHeaderBytes = 6

/** Maximum bytes of a message. Larger ones do not fit into a UDP datagram. */
const maxPayloadBytes = 65_000

/** Types of the chunks that are common to all vendors. */
const chunkTypes = {
  source4: 3,
  target4: 4,
  source6: 5,
  target6: 6,
  sourcePort: 7,
  targetPort: 8,
  seconds: 9,
  microseconds: 10,
  kind: 11,
  key: 14,
  payload: 15,
  packed: 16,
} as const

/** The length of the packet at the start of the bytes: undefined if more bytes are needed, 0 if it is not a packet. */
export const packetLength = (bytes: Buffer): number | undefined => {
  const prefixLength = Math.min(bytes.length, magic.length)
  if (bytes.compare(magic, 0, prefixLength, 0, prefixLength) !== 0) return 0
  if (bytes.length < headerBytes) return undefined
  const length = bytes.readUInt16BE(4)
  return length < headerBytes ? 0 : length
}

/** Reads the common chunks; undefined if one exceeds the packet. */
const readChunks = (bytes: Buffer): Map<number, Buffer> | undefined => {
  const chunks = new Map<number, Buffer>()
  for (let offset = headerBytes; offset < bytes.length;) {
    if (offset + chunkHeaderBytes > bytes.length) return undefined
    const vendor = bytes.readUInt16BE(offset)
    const length = bytes.readUInt16BE(offset + 4)
    if (length < chunkHeaderBytes || offset + length > bytes.length) return undefined
    if (vendor === 0)
      chunks.set(bytes.readUInt16BE(offset + 2), bytes.subarray(offset + chunkHeaderBytes, offset + length))
    offset += length
  }
  return chunks
}

/** Reads a number of exactly this many bytes. */
const readUint = (bytes: Buffer | undefined, size: number): number | undefined =>
  bytes?.length === size ? bytes.readUIntBE(0, size) : undefined

const decompress = (bytes: Buffer): Buffer | undefined => {
  const limit = { maxOutputLength: maxPayloadBytes }
  try {
    return bytes[0] === 0x1f ? gunzipSync(bytes, limit) : inflateSync(bytes, limit)
  } catch {
    return undefined
  }
}

const payloadOf = (chunks: Map<number, Buffer>): Buffer | undefined => {
  const compressedPayload = chunks.get(chunkTypes.packed)
  const payload = chunks.get(chunkTypes.payload) ?? (compressedPayload && decompress(compressedPayload))
  return payload && payload.length <= maxPayloadBytes ? payload : undefined
}

const endpointOf = (address: Buffer | undefined, size: number, port: number | undefined): Endpoint | undefined =>
  address?.length === size && port !== undefined ? { address, port } : undefined

/** Both endpoints, which have the same address family. */
const endpointsOf = (chunks: Map<number, Buffer>): [Endpoint, Endpoint] | undefined => {
  const sourcePort = readUint(chunks.get(chunkTypes.sourcePort), 2)
  const targetPort = readUint(chunks.get(chunkTypes.targetPort), 2)
  for (const [source, target, size] of [
    [chunkTypes.source4, chunkTypes.target4, 4],
    [chunkTypes.source6, chunkTypes.target6, 16],
  ] as const) {
    const endpoints = [
      endpointOf(chunks.get(source), size, sourcePort),
      endpointOf(chunks.get(target), size, targetPort),
    ]
    if (endpoints[0] && endpoints[1]) return [endpoints[0], endpoints[1]]
  }
  return undefined
}

/** Parses a packet; undefined if it is not a complete packet of version 3. */
export const readHep = (bytes: Buffer): HepPacket | undefined => {
  if (packetLength(bytes) !== bytes.length) return undefined
  const chunks = readChunks(bytes)
  const endpoints = chunks && endpointsOf(chunks)
  const payload = chunks && payloadOf(chunks)
  if (!endpoints || !payload) return undefined
  const seconds = readUint(chunks.get(chunkTypes.seconds), 4)
  const microseconds = readUint(chunks.get(chunkTypes.microseconds), 4) ?? 0
  if (seconds === undefined || microseconds >= 1e6) return undefined
  return {
    payloadType: readUint(chunks.get(chunkTypes.kind), 1) ?? 0,
    source: endpoints[0],
    target: endpoints[1],
    time: seconds * 1e6 + microseconds,
    key: chunks.get(chunkTypes.key),
    payload,
  }
}

const startLine = /^(?:SIP\/2\.0 \d{3}(?: |\r|\n)|[\w!%*+'`~.-]{1,64} \S{1,2048} SIP\/2\.0\r?\n)/
const callIdLine = /^(?:call-id|i)[ \t]*:([^\r\n]+)/im
const methodLine = /^cseq[ \t]*:[ \t]*\d+[ \t]+(\w+)/im
/** The size of the table's column. */
const maxCallIdLength = 255
/** The part of a message that is searched for headers. */
const maxHeaderBytes = 16_384

/** The dialogue of a SIP message; undefined if it is not a complete SIP message. */
export const dialogueOf = (payload: Buffer): { callId: string; isRegistration: boolean } | undefined => {
  const text = payload.toString('utf8', 0, maxHeaderBytes)
  if (!startLine.test(text)) return undefined
  const headers = text.split(/\r?\n\r?\n/, 1)[0]!
  const callId = callIdLine.exec(headers)?.[1]?.trim()
  const method = methodLine.exec(headers)?.[1]
  if (!callId || callId.length > maxCallIdLength || !method) return undefined
  return { callId, isRegistration: method.toUpperCase() === 'REGISTER' }
}

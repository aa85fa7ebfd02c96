import { inflateSync, gunzipSync } from 'node:zlib'
import type { Endpoint } from '../ports/captures'

/** A captured message in HEP, version 3. */
export interface HepPacket {
  /** Protocol of the payload; 1 is SIP. */
  payloadType: number
  source: Endpoint
  target: Endpoint
  /** Microseconds since 1970. */
  timeUs: number
  /** The sender's authentication key. */
  key: Buffer | undefined
  payload: Buffer
}

export const sipPayloadType = 1

/** Every packet of version 3 starts with these bytes and its length. */
const packetMarker = Buffer.from('HEP3')
const headerBytes = 6
const chunkHeaderBytes = 6

/** Maximum bytes of a message. A larger message does not fit into a UDP datagram. */
const maxPayloadBytes = 65_000

/** Types of the chunks that are common to all vendors. */
const chunkTypes = {
  sourceIpv4: 3,
  targetIpv4: 4,
  sourceIpv6: 5,
  targetIpv6: 6,
  sourcePort: 7,
  targetPort: 8,
  seconds: 9,
  microseconds: 10,
  payloadType: 11,
  key: 14,
  payload: 15,
  compressedPayload: 16,
} as const

/** Reads the length of the packet at the start of the bytes: undefined if more bytes are needed, 0 if they are not a packet. */
export const readPacketLength = (bytes: Buffer): number | undefined => {
  const prefixLength = Math.min(bytes.length, packetMarker.length)
  if (bytes.compare(packetMarker, 0, prefixLength, 0, prefixLength) !== 0) return 0
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

const readPayload = (chunks: Map<number, Buffer>): Buffer | undefined => {
  const compressedPayload = chunks.get(chunkTypes.compressedPayload)
  const payload = chunks.get(chunkTypes.payload) ?? (compressedPayload && decompress(compressedPayload))
  return payload && payload.length <= maxPayloadBytes ? payload : undefined
}

const toEndpoint = (address: Buffer | undefined, size: number, port: number | undefined): Endpoint | undefined =>
  address?.length === size && port !== undefined ? { address, port } : undefined

/** Reads both endpoints, which have the same address family. */
const readEndpoints = (chunks: Map<number, Buffer>): [Endpoint, Endpoint] | undefined => {
  const sourcePort = readUint(chunks.get(chunkTypes.sourcePort), 2)
  const targetPort = readUint(chunks.get(chunkTypes.targetPort), 2)
  for (const [source, target, size] of [
    [chunkTypes.sourceIpv4, chunkTypes.targetIpv4, 4],
    [chunkTypes.sourceIpv6, chunkTypes.targetIpv6, 16],
  ] as const) {
    const endpoints = [
      toEndpoint(chunks.get(source), size, sourcePort),
      toEndpoint(chunks.get(target), size, targetPort),
    ]
    if (endpoints[0] && endpoints[1]) return [endpoints[0], endpoints[1]]
  }
  return undefined
}

/** Parses a packet; undefined if it is not a complete packet of version 3. */
export const parseHepPacket = (bytes: Buffer): HepPacket | undefined => {
  if (readPacketLength(bytes) !== bytes.length) return undefined
  const chunks = readChunks(bytes)
  const endpoints = chunks && readEndpoints(chunks)
  const payload = chunks && readPayload(chunks)
  if (!endpoints || !payload) return undefined
  const seconds = readUint(chunks.get(chunkTypes.seconds), 4)
  const microseconds = readUint(chunks.get(chunkTypes.microseconds), 4) ?? 0
  if (seconds === undefined || microseconds >= 1e6) return undefined
  return {
    payloadType: readUint(chunks.get(chunkTypes.payloadType), 1) ?? 0,
    source: endpoints[0],
    target: endpoints[1],
    timeUs: seconds * 1e6 + microseconds,
    key: chunks.get(chunkTypes.key),
    payload,
  }
}

const startLinePattern = /^(?:SIP\/2\.0 \d{3}(?: |\r|\n)|[\w!%*+'`~.-]{1,64} \S{1,2048} SIP\/2\.0\r?\n)/
const callIdPattern = /^(?:call-id|i)[ \t]*:([^\r\n]+)/im
const methodPattern = /^cseq[ \t]*:[ \t]*\d+[ \t]+(\w+)/im
/** The size of the column for Call-IDs. */
const maxCallIdLength = 255
/** The part of a message that is searched for headers. */
const maxHeaderBytes = 16_384

/** Parses what identifies the SIP dialog of a message; undefined if the payload is not a SIP message with these headers. */
export const parseSipDialog = (payload: Buffer): { callId: string; isRegistration: boolean } | undefined => {
  const text = payload.toString('utf8', 0, maxHeaderBytes)
  if (!startLinePattern.test(text)) return undefined
  const headers = text.split(/\r?\n\r?\n/, 1)[0]!
  const callId = callIdPattern.exec(headers)?.[1]?.trim()
  const method = methodPattern.exec(headers)?.[1]
  if (!callId || callId.length > maxCallIdLength || !method) return undefined
  return { callId, isRegistration: method.toUpperCase() === 'REGISTER' }
}

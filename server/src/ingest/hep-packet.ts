import { inflateSync, gunzipSync } from 'node:zlib'
import type { Endpoint } from '../ports/captures'

/** A message that somebody has seen and passed on in HEP, version 3. */
export interface HepPacket {
  /** What was carried: 1 for SIP. */
  kind: number
  source: Endpoint
  target: Endpoint
  /** Microseconds since 1970. */
  time: number
  /** What the sender shows to be let in. */
  key: Buffer | undefined
  payload: Buffer
}

export const sip = 1

/** The first bytes of every packet of version 3: its name, and how long it is. */
const name = Buffer.from('HEP3')
const head = 6
const chunkHead = 6

/** Bytes of a message; larger ones do not fit into the datagram in which they are given out. */
const mostBytes = 65_000

/** Chunks by their numbers, of those that every writer has in common. */
const chunk = {
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

/** How long the packet is that begins here: undefined as long as too little has come to know, 0 when it is none. */
export const lengthOf = (bytes: Buffer): number | undefined => {
  const seen = Math.min(bytes.length, name.length)
  if (bytes.compare(name, 0, seen, 0, seen) !== 0) return 0
  if (bytes.length < head) return undefined
  const length = bytes.readUInt16BE(4)
  return length < head ? 0 : length
}

/** The bytes of the common chunks; undefined where one is longer than the packet. */
const chunksIn = (bytes: Buffer): Map<number, Buffer> | undefined => {
  const found = new Map<number, Buffer>()
  for (let at = head; at < bytes.length;) {
    if (at + chunkHead > bytes.length) return undefined
    const vendor = bytes.readUInt16BE(at)
    const length = bytes.readUInt16BE(at + 4)
    if (length < chunkHead || at + length > bytes.length) return undefined
    if (vendor === 0) found.set(bytes.readUInt16BE(at + 2), bytes.subarray(at + chunkHead, at + length))
    at += length
  }
  return found
}

/** A number that has just this many bytes. */
const number = (bytes: Buffer | undefined, size: number): number | undefined =>
  bytes?.length === size ? bytes.readUIntBE(0, size) : undefined

const unpacked = (bytes: Buffer): Buffer | undefined => {
  const limit = { maxOutputLength: mostBytes }
  try {
    return bytes[0] === 0x1f ? gunzipSync(bytes, limit) : inflateSync(bytes, limit)
  } catch {
    return undefined
  }
}

const payloadOf = (chunks: Map<number, Buffer>): Buffer | undefined => {
  const packed = chunks.get(chunk.packed)
  const payload = chunks.get(chunk.payload) ?? (packed && unpacked(packed))
  return payload && payload.length <= mostBytes ? payload : undefined
}

const endOf = (address: Buffer | undefined, size: number, port: number | undefined): Endpoint | undefined =>
  address?.length === size && port !== undefined ? { address, port } : undefined

/** Both ends of the way, which are of one family. */
const endsOf = (chunks: Map<number, Buffer>): [Endpoint, Endpoint] | undefined => {
  const from = number(chunks.get(chunk.sourcePort), 2)
  const to = number(chunks.get(chunk.targetPort), 2)
  for (const [source, target, size] of [
    [chunk.source4, chunk.target4, 4],
    [chunk.source6, chunk.target6, 16],
  ] as const) {
    const ends = [endOf(chunks.get(source), size, from), endOf(chunks.get(target), size, to)]
    if (ends[0] && ends[1]) return [ends[0], ends[1]]
  }
  return undefined
}

/** What a packet says; undefined when it is no packet of version 3, or lacks something. */
export const readHep = (bytes: Buffer): HepPacket | undefined => {
  if (lengthOf(bytes) !== bytes.length) return undefined
  const chunks = chunksIn(bytes)
  const ends = chunks && endsOf(chunks)
  const payload = chunks && payloadOf(chunks)
  if (!ends || !payload) return undefined
  const seconds = number(chunks.get(chunk.seconds), 4)
  const microseconds = number(chunks.get(chunk.microseconds), 4) ?? 0
  if (seconds === undefined || microseconds >= 1e6) return undefined
  return {
    kind: number(chunks.get(chunk.kind), 1) ?? 0,
    source: ends[0],
    target: ends[1],
    time: seconds * 1e6 + microseconds,
    key: chunks.get(chunk.key),
    payload,
  }
}

const startLine = /^(?:SIP\/2\.0 \d{3}(?: |\r|\n)|[\w!%*+'`~.-]{1,64} \S{1,2048} SIP\/2\.0\r?\n)/
const callIdLine = /^(?:call-id|i)[ \t]*:([^\r\n]+)/im
const methodLine = /^cseq[ \t]*:[ \t]*\d+[ \t]+(\w+)/im
/** As many characters as the table's column has. */
const longestCallId = 255
/** What is looked through for headers. */
const headBytes = 16_384

/** Which dialogue a SIP message belongs to; undefined when it is no whole SIP message. */
export const dialogueOf = (payload: Buffer): { callId: string; registration: boolean } | undefined => {
  const text = payload.toString('utf8', 0, headBytes)
  if (!startLine.test(text)) return undefined
  const headers = text.split(/\r?\n\r?\n/, 1)[0]!
  const callId = callIdLine.exec(headers)?.[1]?.trim()
  const method = methodLine.exec(headers)?.[1]
  if (!callId || callId.length > longestCallId || !method) return undefined
  return { callId, registration: method.toUpperCase() === 'REGISTER' }
}

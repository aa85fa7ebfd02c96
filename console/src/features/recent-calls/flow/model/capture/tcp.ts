import type { Carried } from './ip'
import type { SocketAddress, Transport } from '@trunkline/contract/calls/sip-message'
import { framing } from './sip-framing'

/** A SIP message found in a stream. */
export interface Found {
  time: number
  source: SocketAddress
  target: SocketAddress
  transport: Transport
  bytes: Uint8Array
  cut: boolean
}

interface Segment {
  sequence: number
  bytes: Uint8Array
  time: number
}

/** Maximum number of out-of-order segments per direction. Beyond it, the missing segment counts as lost. */
const mostHeld = 256
/** Maximum number of streams tracked at once. */
const mostStreams = 10_000

/** Returns the signed difference of two sequence numbers, which wrap around. */
const ahead = (one: number, other: number) => (one - other) | 0

const streaming = (source: SocketAddress, target: SocketAddress, take: (found: Found) => void) => {
  let next: number | undefined
  let held: Segment[] = []
  let now = 0
  const frames = framing((bytes, transport, cut) => take({ time: now, source, target, transport, bytes, cut }))

  const give = ({ sequence, bytes, time }: Segment) => {
    const known = next === undefined ? 0 : -ahead(sequence, next)
    if (known >= bytes.length) return
    now = Math.max(now, time)
    next = (sequence + bytes.length) >>> 0
    frames.push(known > 0 ? bytes.subarray(known) : bytes)
  }

  /** Passes on the segments that are next in sequence; with `lost`, also those after a missing segment. */
  const release = (lost: boolean) => {
    if (held.length === 0) return
    held.sort((one, other) => ahead(one.sequence, other.sequence))
    let count = 0
    for (const segment of held) {
      if (next !== undefined && ahead(segment.sequence, next) > 0) {
        if (!lost) break
        frames.gap()
        next = segment.sequence
      }
      give(segment)
      count += 1
    }
    held = held.slice(count)
  }

  return {
    begin(sequence: number) {
      if (next !== undefined && next !== sequence) {
        release(true)
        frames.gap()
        held = []
      }
      next = sequence
    },
    segment(segment: Segment) {
      if (next !== undefined && ahead(segment.sequence, next) > 0) {
        held.push(segment)
        if (held.length > mostHeld) release(true)
        return
      }
      give(segment)
      release(false)
    },
    end() {
      release(true)
      frames.gap()
    },
  }
}

/** Reassembles TCP streams, and finds the SIP messages in them. */
export const reassembling = (take: (found: Found) => void) => {
  const streams = new Map<string, ReturnType<typeof streaming>>()
  return {
    packet({ source, target, bytes, time }: Carried) {
      if (bytes.length < 20) return
      const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const [from, to] = [data.getUint16(0), data.getUint16(2)]
      const head = (bytes[12]! >>> 4) * 4
      if (head < 20 || head > bytes.length) return
      const key = `${source} ${from} ${target} ${to}`
      const stream = streams.get(key) ?? streaming({ address: source, port: from }, { address: target, port: to }, take)
      if (!streams.has(key) && streams.size < mostStreams) streams.set(key, stream)
      const sequence = data.getUint32(4)
      if ((bytes[13]! & 2) !== 0) stream.begin((sequence + 1) >>> 0)
      else if (bytes.length > head) stream.segment({ sequence, bytes: bytes.subarray(head), time })
    },
    end() {
      for (const stream of streams.values()) stream.end()
    },
  }
}

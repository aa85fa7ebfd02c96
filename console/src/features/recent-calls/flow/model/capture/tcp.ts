import type { IpPayload } from './ip'
import type { SocketAddress, Transport } from '@trunkline/contract/calls/sip-message'
import { createFramer } from './sip-framing'

/** A SIP message found in a stream. */
export interface StreamMessage {
  time: number
  source: SocketAddress
  target: SocketAddress
  transport: Transport
  bytes: Uint8Array
  isTruncated: boolean
}

interface Segment {
  sequence: number
  bytes: Uint8Array
  time: number
}

/** Maximum number of out-of-order segments per direction. Beyond it, the missing segment counts as lost. */
const maxHeldSegments = 256
/** Maximum number of streams in a capture. Of further ones, only messages in a single segment are read. */
export const maxTcpStreams = 10_000

/** Returns the signed difference of two sequence numbers, which wrap around. */
const sequenceDifference = (a: number, b: number) => (a - b) | 0

const createStream = (source: SocketAddress, target: SocketAddress, onMessage: (message: StreamMessage) => void) => {
  let nextSequence: number | undefined
  let heldSegments: Segment[] = []
  let latestTime = 0
  const framer = createFramer((bytes, transport, isTruncated) =>
    onMessage({ time: latestTime, source, target, transport, bytes, isTruncated }),
  )

  const deliver = ({ sequence, bytes, time }: Segment) => {
    const deliveredBytes = nextSequence === undefined ? 0 : -sequenceDifference(sequence, nextSequence)
    if (deliveredBytes >= bytes.length) return
    latestTime = Math.max(latestTime, time)
    nextSequence = (sequence + bytes.length) >>> 0
    framer.push(deliveredBytes > 0 ? bytes.subarray(deliveredBytes) : bytes)
  }

  /** Passes on the segments that are next in sequence; with `skipsGaps`, also those after a missing segment. */
  const releaseSegments = (skipsGaps: boolean) => {
    if (heldSegments.length === 0) return
    heldSegments.sort((a, b) => sequenceDifference(a.sequence, b.sequence))
    let count = 0
    for (const segment of heldSegments) {
      if (nextSequence !== undefined && sequenceDifference(segment.sequence, nextSequence) > 0) {
        if (!skipsGaps) break
        framer.handleGap()
        nextSequence = segment.sequence
      }
      deliver(segment)
      count += 1
    }
    heldSegments = heldSegments.slice(count)
  }

  return {
    handleSyn(sequence: number) {
      if (nextSequence !== undefined && nextSequence !== sequence) {
        releaseSegments(true)
        framer.handleGap()
        heldSegments = []
      }
      nextSequence = sequence
    },
    addSegment(segment: Segment) {
      if (nextSequence !== undefined && sequenceDifference(segment.sequence, nextSequence) > 0) {
        heldSegments.push(segment)
        if (heldSegments.length > maxHeldSegments) releaseSegments(true)
        return
      }
      deliver(segment)
      releaseSegments(false)
    },
    finish() {
      releaseSegments(true)
      framer.handleGap()
    },
  }
}

/** Reassembles TCP streams, and finds the SIP messages in them. */
export const createTcpReassembler = (onMessage: (message: StreamMessage) => void) => {
  const streams = new Map<string, ReturnType<typeof createStream>>()
  let hasIncompleteTcpStreams = false
  return {
    addPacket({ source, target, bytes, time }: IpPayload) {
      if (bytes.length < 20) return
      const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const [sourcePort, targetPort] = [data.getUint16(0), data.getUint16(2)]
      const headerLength = (bytes[12]! >>> 4) * 4
      if (headerLength < 20 || headerLength > bytes.length) return
      const key = `${source} ${sourcePort} ${target} ${targetPort}`
      const stream =
        streams.get(key) ??
        createStream({ address: source, port: sourcePort }, { address: target, port: targetPort }, onMessage)
      if (!streams.has(key)) {
        if (streams.size < maxTcpStreams) streams.set(key, stream)
        else hasIncompleteTcpStreams ||= bytes.length > headerLength
      }
      const sequence = data.getUint32(4)
      if ((bytes[13]! & 2) !== 0) stream.handleSyn((sequence + 1) >>> 0)
      else if (bytes.length > headerLength) stream.addSegment({ sequence, bytes: bytes.subarray(headerLength), time })
    },
    /** Passes on the incomplete messages. */
    finish(): { hasIncompleteTcpStreams: boolean } {
      for (const stream of streams.values()) stream.finish()
      return { hasIncompleteTcpStreams }
    },
  }
}

import type { SocketAddress } from '@trunkline/contract/calls/sip-message'

/** An RTP stream in one direction. */
export interface RtpStream {
  source: SocketAddress
  target: SocketAddress
  /** Synchronization source: the sender's id of the stream. */
  ssrc: number
  payloadType: number
  packetCount: number
  /** Number of missing packets, by the sequence numbers. */
  lostCount: number
  /** Microseconds since 1970. */
  startedAtUs: number
  endedAtUs: number
}

interface CountedStream extends RtpStream {
  firstSequence: number
  highestSequence: number
}

/**
 * Streams with fewer packets are other traffic that resembles RTP. So are those whose sequence numbers are constant or
 * jump.
 */
const minPackets = 4
/** RTP does not use the ports below this one. */
const minPort = 1024
export const maxStreams = 2000

/** Whether the datagram may be RTP: version 2, with a plausible payload type that is not RTCP. */
const mayBeRtp = (bytes: Uint8Array): boolean => {
  if (bytes.length < 13 || bytes[0]! >>> 6 !== 2) return false
  const type = bytes[1]! & 0x7f
  return type < 35 || type > 95
}

const isPlausibleStream = ({ packetCount, firstSequence, highestSequence }: CountedStream): boolean =>
  packetCount >= minPackets && highestSequence - firstSequence >= packetCount / 2

/** Collects RTP datagrams into streams. */
export const createRtpCollector = () => {
  const streams = new Map<string, CountedStream>()
  let hasMissingStreams = false
  return {
    addDatagram(source: SocketAddress, target: SocketAddress, time: number, bytes: Uint8Array) {
      if (!mayBeRtp(bytes) || source.port < minPort || target.port < minPort) return
      const payloadType = bytes[1]! & 0x7f
      const sequence = (bytes[2]! << 8) | bytes[3]!
      const ssrc = ((bytes[8]! << 24) | (bytes[9]! << 16) | (bytes[10]! << 8) | bytes[11]!) >>> 0
      const key = `${source.address} ${source.port} ${target.address} ${target.port} ${ssrc}`
      const stream = streams.get(key)
      if (!stream) {
        if (streams.size >= maxStreams) {
          hasMissingStreams = true
          return
        }
        streams.set(key, {
          source,
          target,
          ssrc,
          payloadType,
          packetCount: 1,
          lostCount: 0,
          startedAtUs: time,
          endedAtUs: time,
          firstSequence: sequence,
          highestSequence: sequence,
        })
        return
      }
      // the difference as a signed 16-bit number, because sequence numbers wrap around after 65,535
      const step = ((sequence - stream.highestSequence) << 16) >> 16
      // a capture on all interfaces contains a packet several times
      if (step === 0) return
      stream.packetCount += 1
      stream.endedAtUs = Math.max(stream.endedAtUs, time)
      if (step > 0) stream.highestSequence += step
    },
    /** Returns the collected streams, sorted by start. */
    finish(): { media: RtpStream[]; hasMissingStreams: boolean } {
      const media = [...streams.values()]
        .filter(isPlausibleStream)
        .map(({ firstSequence, highestSequence, ...stream }) => ({
          ...stream,
          lostCount: Math.max(0, highestSequence - firstSequence + 1 - stream.packetCount),
        }))
        .filter(({ packetCount, lostCount }) => lostCount <= packetCount)
        .toSorted((a, b) => a.startedAtUs - b.startedAtUs)
      return { media, hasMissingStreams }
    },
  }
}

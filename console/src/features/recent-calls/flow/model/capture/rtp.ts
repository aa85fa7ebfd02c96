import type { SocketAddress } from '@trunkline/contract/calls/sip-message'

/** An RTP stream in one direction. */
export interface RtpStream {
  source: SocketAddress
  target: SocketAddress
  /** Synchronization source: the sender's id of the stream. */
  ssrc: number
  /** RTP payload type. */
  type: number
  packets: number
  /** Number of packets missing, by their sequence numbers. */
  lost: number
  /** Microseconds since 1970. */
  from: number
  to: number
}

interface CountedStream extends RtpStream {
  first: number
  highest: number
}

/**
 * Streams with fewer packets are other traffic that resembles RTP. So are those whose sequence numbers are constant or
 * jump.
 */
const minPackets = 4
/** RTP does not use the ports below this one. */
const lowestPort = 1024
const maxStreams = 2000

/** Whether the datagram may be RTP: version 2, with a plausible payload type that is not RTCP. */
const mayBeRtp = (bytes: Uint8Array): boolean => {
  if (bytes.length < 13 || bytes[0]! >>> 6 !== 2) return false
  const type = bytes[1]! & 0x7f
  return type < 35 || type > 95
}

/** Collects RTP datagrams into streams. */
export const createRtpCollector = () => {
  const streams = new Map<string, CountedStream>()
  return {
    datagram(source: SocketAddress, target: SocketAddress, time: number, bytes: Uint8Array) {
      if (!mayBeRtp(bytes) || source.port < lowestPort || target.port < lowestPort) return
      const type = bytes[1]! & 0x7f
      const sequence = (bytes[2]! << 8) | bytes[3]!
      const ssrc = ((bytes[8]! << 24) | (bytes[9]! << 16) | (bytes[10]! << 8) | bytes[11]!) >>> 0
      const key = `${source.address} ${source.port} ${target.address} ${target.port} ${ssrc}`
      const stream = streams.get(key)
      if (!stream) {
        if (streams.size >= maxStreams) return
        const counts = { packets: 1, lost: 0, from: time, to: time, first: sequence, highest: sequence }
        streams.set(key, { source, target, ssrc, type, ...counts })
        return
      }
      // the difference as a signed 16-bit number, because sequence numbers wrap around after 65,535
      const step = ((sequence - stream.highest) << 16) >> 16
      // a capture on all interfaces contains a packet several times
      if (step === 0) return
      stream.packets += 1
      stream.to = Math.max(stream.to, time)
      if (step > 0) stream.highest += step
    },
    end(): RtpStream[] {
      return [...streams.values()]
        .filter(({ packets, first, highest }) => packets >= minPackets && highest - first >= packets / 2)
        .map(({ first, highest, ...stream }) => ({
          ...stream,
          lost: Math.max(0, highest - first + 1 - stream.packets),
        }))
        .filter(({ packets, lost }) => lost <= packets)
        .toSorted((a, b) => a.from - b.from)
    },
  }
}

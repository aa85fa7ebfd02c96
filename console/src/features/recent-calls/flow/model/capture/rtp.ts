import type { SocketAddress } from '@trunkline/contract/calls/sip-message'

/** Sound that went one way. */
export interface MediaStream {
  source: SocketAddress
  target: SocketAddress
  /** What the sender calls itself. */
  ssrc: number
  /** How the sound is packed, by RTP's numbers. */
  type: number
  packets: number
  /** So many did not come by, by their numbers. */
  lost: number
  /** Microseconds since 1970. */
  from: number
  to: number
}

interface Counted extends MediaStream {
  first: number
  highest: number
}

/** Fewer packets than this are something else that looks alike; so are those whose numbers stand still or jump. */
const fewest = 4
/** Below this nobody sends sound. */
const lowestPort = 1024
const mostStreams = 2000

/** Could this be RTP? Version 2, a sensible type, and none of RTCP's. */
const looksRight = (bytes: Uint8Array): boolean => {
  if (bytes.length < 13 || bytes[0]! >>> 6 !== 2) return false
  const type = bytes[1]! & 0x7f
  return type < 35 || type > 95
}

/** Gathers datagrams of RTP into streams. */
export const listening = () => {
  const streams = new Map<string, Counted>()
  return {
    datagram(source: SocketAddress, target: SocketAddress, time: number, bytes: Uint8Array) {
      if (!looksRight(bytes) || source.port < lowestPort || target.port < lowestPort) return
      const type = bytes[1]! & 0x7f
      const sequence = (bytes[2]! << 8) | bytes[3]!
      const ssrc = ((bytes[8]! << 24) | (bytes[9]! << 16) | (bytes[10]! << 8) | bytes[11]!) >>> 0
      const key = `${source.address} ${source.port} ${target.address} ${target.port} ${ssrc}`
      const known = streams.get(key)
      if (!known) {
        if (streams.size >= mostStreams) return
        const alone = { packets: 1, lost: 0, from: time, to: time, first: sequence, highest: sequence }
        streams.set(key, { source, target, ssrc, type, ...alone })
        return
      }
      // numbers begin anew after 65,535
      const step = ((sequence - known.highest) << 16) >> 16
      // who captures on all interfaces sees each packet on several of them
      if (step === 0) return
      known.packets += 1
      known.to = Math.max(known.to, time)
      if (step > 0) known.highest += step
    },
    end(): MediaStream[] {
      return [...streams.values()]
        .filter(({ packets, first, highest }) => packets >= fewest && highest - first >= packets / 2)
        .map(({ first, highest, ...stream }) => ({
          ...stream,
          lost: Math.max(0, highest - first + 1 - stream.packets),
        }))
        .filter(({ packets, lost }) => lost <= packets)
        .toSorted((one, other) => one.from - other.from)
    },
  }
}

import { packetsOf } from './pcap'
import { carrying, type Carried } from './ip'
import { listening, type MediaStream } from './rtp'
import { startsWithSip, parseSipMessage, type SipMessage } from '@trunkline/contract/calls/sip-message'
import { reassembling, type Found } from './tcp'

/** The SIP and RTP content of a capture file. */
export interface Capture {
  /** Sorted by time. */
  messages: SipMessage[]
  media: MediaStream[]
  /** Number of packets of any kind. */
  packets: number
  /** The file is damaged, and the packets after the damage are missing. */
  cut: boolean
}

const tcp = 6
const udp = 17

/** Returns the ports and payload of a UDP datagram; undefined if its header is incomplete. */
const datagram = ({ source, target, bytes }: Carried) => {
  if (bytes.length < 8) return undefined
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = data.getUint16(4)
  return {
    source: { address: source, port: data.getUint16(0) },
    target: { address: target, port: data.getUint16(2) },
    bytes: bytes.subarray(8, length < 8 ? bytes.length : Math.min(length, bytes.length)),
    cut: length > bytes.length,
  }
}

/** Reads a pcap or pcapng file; undefined for any other file. Terminates for any content. */
export const captureOf = (file: Uint8Array): Capture | undefined => {
  const found = packetsOf(file)
  if (!found) return undefined
  const messages: SipMessage[] = []
  const media = listening()
  const keep = ({ bytes, ...where }: Found) => {
    const facts = parseSipMessage(bytes)
    if (facts) messages.push({ ...where, ...facts })
  }
  const streams = reassembling(keep)
  const carried = carrying()
  for (const packet of found.packets) {
    const whole = carried(packet)
    if (whole?.protocol === tcp) streams.packet(whole)
    const one = whole?.protocol === udp ? datagram(whole) : undefined
    if (!whole || !one) continue
    if (startsWithSip(one.bytes)) keep({ ...one, time: whole.time, transport: 'UDP' })
    else media.datagram(one.source, one.target, whole.time, one.bytes)
  }
  streams.end()
  messages.sort((first, second) => first.time - second.time)
  return { messages, media: media.end(), packets: found.packets.length, cut: found.cut }
}

/** Merges captures, because the legs of a call can have separate ones. */
export const together = (captures: readonly Capture[]): Capture => ({
  messages: captures.flatMap(({ messages }) => messages).toSorted((one, other) => one.time - other.time),
  media: captures.flatMap(({ media }) => media).toSorted((one, other) => one.from - other.from),
  packets: captures.reduce((sum, { packets }) => sum + packets, 0),
  cut: captures.some(({ cut }) => cut),
})

import { readPackets } from './pcap'
import { createIpReader, type IpPayload } from './ip'
import { createRtpCollector, type RtpStream } from './rtp'
import { hasSipStartLine, parseSipMessage, type SipMessage } from '@trunkline/contract/calls/sip-message'
import { createTcpReassembler, type StreamMessage } from './tcp'

/** The SIP and RTP content of a capture file. */
export interface Capture {
  /** Sorted by time. */
  messages: SipMessage[]
  media: RtpStream[]
  /** The file has more possible RTP streams than `maxStreams`. Those beyond it are missing. */
  hasMissingStreams: boolean
  /** The file has more TCP streams than `maxTcpStreams`. Messages of those beyond it may be missing. */
  hasIncompleteTcpStreams: boolean
  /** Number of packets of any kind. */
  packetCount: number
  /** The packets after the damage are missing. */
  isDamaged: boolean
}

const tcpProtocol = 6
const udpProtocol = 17

/** Returns the ports and payload of a UDP datagram; undefined if its header is incomplete. */
const parseDatagram = ({ source, target, bytes }: IpPayload) => {
  if (bytes.length < 8) return undefined
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = data.getUint16(4)
  return {
    source: { address: source, port: data.getUint16(0) },
    target: { address: target, port: data.getUint16(2) },
    bytes: bytes.subarray(8, length < 8 ? bytes.length : Math.min(length, bytes.length)),
    isTruncated: length > bytes.length,
  }
}

/** Reads a pcap or pcapng file; undefined for any other file. Terminates for any content. */
export const parseCapture = (file: Uint8Array): Capture | undefined => {
  const packetFile = readPackets(file)
  if (!packetFile) return undefined
  const messages: SipMessage[] = []
  const rtpCollector = createRtpCollector()
  const addMessage = ({ bytes, ...origin }: StreamMessage) => {
    const parsed = parseSipMessage(bytes)
    if (parsed) messages.push({ ...origin, ...parsed })
  }
  const tcpReassembler = createTcpReassembler(addMessage)
  const readIpPacket = createIpReader()
  for (const packet of packetFile.packets) {
    const ipPayload = readIpPacket(packet)
    if (ipPayload?.protocol === tcpProtocol) tcpReassembler.addPacket(ipPayload)
    const datagram = ipPayload?.protocol === udpProtocol ? parseDatagram(ipPayload) : undefined
    if (!ipPayload || !datagram) continue
    if (hasSipStartLine(datagram.bytes)) addMessage({ ...datagram, time: ipPayload.time, transport: 'UDP' })
    else rtpCollector.addDatagram(datagram.source, datagram.target, ipPayload.time, datagram.bytes)
  }
  const tcpResult = tcpReassembler.finish()
  messages.sort((a, b) => a.time - b.time)
  return {
    messages,
    ...rtpCollector.finish(),
    ...tcpResult,
    packetCount: packetFile.packets.length,
    isDamaged: packetFile.isDamaged,
  }
}

/** Merges captures, because the legs of a call can have separate ones. */
export const mergeCaptures = (captures: readonly Capture[]): Capture => ({
  messages: captures.flatMap(({ messages }) => messages).toSorted((a, b) => a.time - b.time),
  media: captures.flatMap(({ media }) => media).toSorted((a, b) => a.startedAtUs - b.startedAtUs),
  hasMissingStreams: captures.some(({ hasMissingStreams }) => hasMissingStreams),
  hasIncompleteTcpStreams: captures.some(({ hasIncompleteTcpStreams }) => hasIncompleteTcpStreams),
  packetCount: captures.reduce((sum, { packetCount }) => sum + packetCount, 0),
  isDamaged: captures.some(({ isDamaged }) => isDamaged),
})

import { isIP } from 'node:net'
import type { CapturedMessage, Endpoint } from '../../ports/captures'

/** The pcap link type of packets that start with an IP header, IPv4 or IPv6. */
const rawIpLinkType = 101
const udpProtocol = 17
const recordHeaderBytes = 16
const udpHeaderBytes = 8
/** The maximum packet size of IP. */
const maxPacketBytes = 65_535

/** The pcap file header: little endian, timestamps in microseconds. */
const fileHeader = (): Buffer => {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(maxPacketBytes, 16)
  header.writeUInt32LE(rawIpLinkType, 20)
  return header
}

/** The checksum of IP and UDP: the one's complement sum of 16-bit words. */
const checksum = (parts: readonly Buffer[]): number => {
  let sum = 0
  for (const part of parts) {
    const evenLength = part.length & ~1
    for (let index = 0; index < evenLength; index += 2) sum += (part[index]! << 8) | part[index + 1]!
    if (part.length > evenLength) sum += part[evenLength]! << 8
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

const ipHeader = (source: Buffer, target: Buffer, length: number): Buffer => {
  const isIPv4 = source.length === 4
  const header = Buffer.alloc(isIPv4 ? 20 : 40)
  if (isIPv4) {
    header[0] = 0x45
    header.writeUInt16BE(20 + length, 2)
    header.writeUInt16BE(0x4000, 6)
    header[8] = 64
    header[9] = udpProtocol
  } else {
    header[0] = 0x60
    header.writeUInt16BE(length, 4)
    header[6] = udpProtocol
    header[7] = 64
  }
  source.copy(header, isIPv4 ? 12 : 8)
  target.copy(header, isIPv4 ? 16 : 24)
  if (isIPv4) header.writeUInt16BE(checksum([header]), 10)
  return header
}

/**
 * A message as a pcap record. It is always written as a UDP datagram, because captures contain whole messages, not TCP
 * segments.
 */
export const packetOf = ({ source, target, time, payload }: CapturedMessage): Buffer => {
  const length = udpHeaderBytes + payload.length
  const ip = ipHeader(source.address, target.address, length)
  const datagram = Buffer.alloc(udpHeaderBytes)
  datagram.writeUInt16BE(source.port, 0)
  datagram.writeUInt16BE(target.port, 2)
  datagram.writeUInt16BE(length, 4)
  const pseudoHeader = Buffer.from([0, udpProtocol, length >>> 8, length & 0xff])
  const sum = checksum([source.address, target.address, pseudoHeader, datagram, payload])
  // Zero means no checksum.
  datagram.writeUInt16BE(sum || 0xffff, 6)
  const record = Buffer.alloc(recordHeaderBytes)
  record.writeUInt32LE(Math.floor(time / 1e6), 0)
  record.writeUInt32LE(time % 1e6, 4)
  record.writeUInt32LE(ip.length + length, 8)
  record.writeUInt32LE(ip.length + length, 12)
  return Buffer.concat([record, ip, datagram, payload])
}

/** Splits concatenated records, sorted by time. */
export const packetsIn = (parts: readonly Buffer[]): Buffer[] => {
  const records: { time: number; packet: Buffer }[] = []
  for (const part of parts)
    for (let offset = 0; offset + recordHeaderBytes <= part.length;) {
      const end = offset + recordHeaderBytes + part.readUInt32LE(offset + 8)
      records.push({
        time: part.readUInt32LE(offset) * 1e6 + part.readUInt32LE(offset + 4),
        packet: part.subarray(offset, end),
      })
      offset = end
    }
  return records.toSorted((a, b) => a.time - b.time).map(({ packet }) => packet)
}

/** A pcap file, as Wireshark reads it. */
export const pcapOf = (packets: readonly Buffer[]): Buffer => Buffer.concat([fileHeader(), ...packets])

const ipv6Groups = (bytes: Buffer) =>
  Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':')

/** An address as text. */
const addressText = (bytes: Buffer): string => {
  if (bytes.length === 4) return bytes.join('.')
  const text = ipv6Groups(bytes)
  return isIP(text) ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text
}

const formatEndpoint = ({ address, port }: Endpoint) => ({ address: addressText(address), port })

/** Parses a record that `packetOf` created. */
export const readPacket = (record: Buffer) => {
  const seconds = record.readUInt32LE(0)
  const microseconds = record.readUInt32LE(4)
  const packet = record.subarray(recordHeaderBytes)
  const isIPv4 = packet[0]! >>> 4 === 4
  const [from, to, data] = isIPv4 ? [12, 16, 20] : [8, 24, 40]
  const size = isIPv4 ? 4 : 16
  return {
    seconds,
    microseconds,
    source: formatEndpoint({ address: packet.subarray(from, from + size), port: packet.readUInt16BE(data) }),
    target: formatEndpoint({ address: packet.subarray(to, to + size), port: packet.readUInt16BE(data + 2) }),
    payload: packet.subarray(data + udpHeaderBytes),
  }
}

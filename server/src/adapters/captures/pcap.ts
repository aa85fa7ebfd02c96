import { isIP } from 'node:net'
import type { CapturedMessage, Endpoint } from '../../ports/captures'

/** The pcap link type of packets that start with an IP header, IPv4 or IPv6. */
const rawIpLinkType = 101
const udpProtocol = 17
const recordHeaderBytes = 16
const udpHeaderBytes = 8
/** The time to live of IPv4, the hop limit of IPv6. */
const hopLimit = 64
/** The maximum packet size of IP. */
const maxPacketBytes = 65_535

/** Builds the pcap file header: version 2.4, little endian, timestamps in microseconds. */
const buildFileHeader = (): Buffer => {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(maxPacketBytes, 16)
  header.writeUInt32LE(rawIpLinkType, 20)
  return header
}

/** Computes the checksum of IP and UDP: the complement of the one's complement sum of 16-bit words. */
const computeChecksum = (parts: readonly Buffer[]): number => {
  let sum = 0
  for (const part of parts) {
    const evenLength = part.length & ~1
    for (let index = 0; index < evenLength; index += 2) sum += (part[index]! << 8) | part[index + 1]!
    if (part.length > evenLength) sum += part[evenLength]! << 8
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

/** Builds an IP header. `payloadBytes`: the size of what follows it. */
const buildIpHeader = (source: Buffer, target: Buffer, payloadBytes: number): Buffer => {
  const isIPv4 = source.length === 4
  const header = Buffer.alloc(isIPv4 ? 20 : 40)
  if (isIPv4) {
    header[0] = 0x45
    header.writeUInt16BE(20 + payloadBytes, 2)
    // don't fragment
    header.writeUInt16BE(0x4000, 6)
    header[8] = hopLimit
    header[9] = udpProtocol
  } else {
    header[0] = 0x60
    header.writeUInt16BE(payloadBytes, 4)
    header[6] = udpProtocol
    header[7] = hopLimit
  }
  source.copy(header, isIPv4 ? 12 : 8)
  target.copy(header, isIPv4 ? 16 : 24)
  if (isIPv4) header.writeUInt16BE(computeChecksum([header]), 10)
  return header
}

/**
 * Builds the pcap record of a message. It is always a UDP datagram, because captures contain complete messages, not TCP
 * segments.
 */
export const buildPacketRecord = ({ source, target, timeUs, payload }: CapturedMessage): Buffer => {
  const datagramBytes = udpHeaderBytes + payload.length
  const ipHeader = buildIpHeader(source.address, target.address, datagramBytes)
  const udpHeader = Buffer.alloc(udpHeaderBytes)
  udpHeader.writeUInt16BE(source.port, 0)
  udpHeader.writeUInt16BE(target.port, 2)
  udpHeader.writeUInt16BE(datagramBytes, 4)
  const pseudoHeader = Buffer.from([0, udpProtocol, datagramBytes >>> 8, datagramBytes & 0xff])
  const checksum = computeChecksum([source.address, target.address, pseudoHeader, udpHeader, payload])
  // In UDP, a checksum of zero means that there is none, so 0xffff is sent instead.
  udpHeader.writeUInt16BE(checksum || 0xffff, 6)
  const recordHeader = Buffer.alloc(recordHeaderBytes)
  recordHeader.writeUInt32LE(Math.floor(timeUs / 1e6), 0)
  recordHeader.writeUInt32LE(timeUs % 1e6, 4)
  recordHeader.writeUInt32LE(ipHeader.length + datagramBytes, 8)
  recordHeader.writeUInt32LE(ipHeader.length + datagramBytes, 12)
  return Buffer.concat([recordHeader, ipHeader, udpHeader, payload])
}

interface TimedRecord {
  timeUs: number
  record: Buffer
}

/** Removes records that are equal to an earlier one. Expects them sorted by time. */
const removeRepeated = (records: readonly TimedRecord[]): TimedRecord[] => {
  const recordsOfSameTime = new Set<string>()
  return records.filter(({ timeUs, record }, index) => {
    if (timeUs !== records[index - 1]?.timeUs) recordsOfSameTime.clear()
    const content = record.toString('latin1')
    const isRepeated = recordsOfSameTime.has(content)
    recordsOfSameTime.add(content)
    return !isRepeated
  })
}

/**
 * Splits concatenated pcap records. Returns them sorted by time, without repeated ones: a batch is stored twice if the database
 * commits it but its response is lost. Retransmissions differ in their time.
 */
export const splitPacketRecords = (parts: readonly Buffer[]): Buffer[] => {
  const records: TimedRecord[] = []
  for (const part of parts)
    for (let offset = 0; offset + recordHeaderBytes <= part.length;) {
      const end = offset + recordHeaderBytes + part.readUInt32LE(offset + 8)
      records.push({
        timeUs: part.readUInt32LE(offset) * 1e6 + part.readUInt32LE(offset + 4),
        record: part.subarray(offset, end),
      })
      offset = end
    }
  return removeRepeated(records.toSorted((a, b) => a.timeUs - b.timeUs)).map(({ record }) => record)
}

/** Builds a pcap file, as Wireshark reads it, from pcap records. */
export const buildPcapFile = (records: readonly Buffer[]): Buffer => Buffer.concat([buildFileHeader(), ...records])

const formatIpv6Groups = (bytes: Buffer) =>
  Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':')

/** Formats an address. IPv6 addresses are shortened. */
const formatAddress = (bytes: Buffer): string => {
  if (bytes.length === 4) return bytes.join('.')
  const text = formatIpv6Groups(bytes)
  return isIP(text) ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text
}

const formatEndpoint = ({ address, port }: Endpoint) => ({ address: formatAddress(address), port })

/** Parses a record that `buildPacketRecord` built. */
export const parsePacketRecord = (record: Buffer) => {
  const seconds = record.readUInt32LE(0)
  const microseconds = record.readUInt32LE(4)
  const packet = record.subarray(recordHeaderBytes)
  const isIPv4 = packet[0]! >>> 4 === 4
  const [sourceOffset, targetOffset, udpOffset] = isIPv4 ? [12, 16, 20] : [8, 24, 40]
  const addressBytes = isIPv4 ? 4 : 16
  const readAddress = (offset: number) => packet.subarray(offset, offset + addressBytes)
  return {
    seconds,
    microseconds,
    source: formatEndpoint({ address: readAddress(sourceOffset), port: packet.readUInt16BE(udpOffset) }),
    target: formatEndpoint({ address: readAddress(targetOffset), port: packet.readUInt16BE(udpOffset + 2) }),
    payload: packet.subarray(udpOffset + udpHeaderBytes),
  }
}

import type { Packet } from './pcap'

/** The payload of a complete IP packet. */
export interface IpPayload {
  source: string
  target: string
  protocol: number
  time: number
  bytes: Uint8Array
}

const readUint16 = (bytes: Uint8Array, offset: number) => (bytes[offset]! << 8) | bytes[offset + 1]!

const isVlanTag = (etherType: number) => etherType === 0x8100 || etherType === 0x88a8 || etherType === 0x9100

/**
 * Skips up to four nested VLAN tags. `payloadOffset`: where the payload of the link layer starts, if not directly after
 * the EtherType. Returns the offset of the IP header, or -1 if the packet is not IP.
 */
const findIpHeader = (bytes: Uint8Array, etherTypeOffset: number, payloadOffset = etherTypeOffset + 2): number => {
  let [typeOffset, nextOffset] = [etherTypeOffset, payloadOffset]
  for (let depth = 0; depth < 4 && typeOffset + 2 <= bytes.length; depth += 1) {
    const etherType = readUint16(bytes, typeOffset)
    if (etherType === 0x0800 || etherType === 0x86dd) return nextOffset
    if (!isVlanTag(etherType)) return -1
    // a tag holds the VLAN and the EtherType of its content, two bytes each
    typeOffset = nextOffset + 2
    nextOffset += 4
  }
  return -1
}

/** Returns the offset of the IP header by link-layer type; -1 if there is none. */
const getIpHeaderOffset = ({ linkType, bytes }: Packet): number => {
  switch (linkType) {
    // Ethernet
    case 1:
      return findIpHeader(bytes, 12)
    // Linux cooked capture, versions 1 and 2
    case 113:
      return findIpHeader(bytes, 14)
    case 276:
      return findIpHeader(bytes, 0, 20)
    // loopback: a 4-byte address family, with numbers that differ between systems
    case 0:
    case 108:
      return 4
    // raw IP
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      return 0
    default:
      return -1
  }
}

const addressCache = new Map<number, string>()

const formatIPv4 = (bytes: Uint8Array, offset: number): string => {
  const key =
    ((bytes[offset]! << 24) | (bytes[offset + 1]! << 16) | (bytes[offset + 2]! << 8) | bytes[offset + 3]!) >>> 0
  const text =
    addressCache.get(key) ?? `${bytes[offset]}.${bytes[offset + 1]}.${bytes[offset + 2]}.${bytes[offset + 3]}`
  if (addressCache.size < 10_000) addressCache.set(key, text)
  return text
}

/** Formats an IPv6 address and shortens its longest run of zeros to '::'. */
const formatIPv6 = (bytes: Uint8Array, offset: number): string => {
  const words = Array.from({ length: 8 }, (_, index) => readUint16(bytes, offset + index * 2))
  let [zeroStart, zeroCount] = [0, 1]
  for (let index = 0; index < 8; index += 1) {
    let count = 0
    while (index + count < 8 && words[index + count] === 0) count += 1
    if (count > zeroCount) [zeroStart, zeroCount] = [index, count]
  }
  const text = (group: number[]) => group.map((word) => word.toString(16)).join(':')
  return zeroCount > 1 ? `${text(words.slice(0, zeroStart))}::${text(words.slice(zeroStart + zeroCount))}` : text(words)
}

interface Fragment extends IpPayload {
  /** Identifies the fragments of a packet; undefined for an unfragmented packet. */
  id?: string
  offset: number
  hasMore: boolean
}

const parseIPv4 = (bytes: Uint8Array, time: number): Fragment | undefined => {
  const headerLength = (bytes[0]! & 15) * 4
  if (headerLength < 20 || bytes.length < headerLength) return undefined
  const totalLength = readUint16(bytes, 2)
  // with segmentation offload the captured length is 0
  const end = totalLength === 0 ? bytes.length : Math.min(totalLength, bytes.length)
  if (end < headerLength) return undefined
  const flags = readUint16(bytes, 6)
  const offset = (flags & 0x1fff) * 8
  const hasMore = (flags & 0x2000) !== 0
  const [source, target, protocol] = [formatIPv4(bytes, 12), formatIPv4(bytes, 16), bytes[9]!]
  const id = offset > 0 || hasMore ? `${source} ${target} ${protocol} ${readUint16(bytes, 4)}` : undefined
  return { source, target, protocol, time, bytes: bytes.subarray(headerLength, end), id, offset, hasMore }
}

const fragmentHeader = 44
const authenticationHeader = 51
/** IPv6 extension headers, which precede the payload. */
const extensionHeaders = new Set([0, 43, fragmentHeader, authenticationHeader, 60])

const parseIPv6 = (bytes: Uint8Array, time: number): Fragment | undefined => {
  if (bytes.length < 40) return undefined
  const length = readUint16(bytes, 4)
  const end = length === 0 ? bytes.length : Math.min(40 + length, bytes.length)
  const [source, target] = [formatIPv6(bytes, 8), formatIPv6(bytes, 24)]
  let protocol = bytes[6]!
  let headerOffset = 40
  let [id, offset, hasMore]: [string | undefined, number, boolean] = [undefined, 0, false]
  for (let depth = 0; depth < 8 && extensionHeaders.has(protocol); depth += 1) {
    if (headerOffset + 8 > end) return undefined
    const nextHeader = bytes[headerOffset]!
    if (protocol === fragmentHeader) {
      const flags = readUint16(bytes, headerOffset + 2)
      offset = flags & 0xfff8
      hasMore = (flags & 1) !== 0
      if (offset > 0 || hasMore)
        id = `${source} ${target} ${readUint16(bytes, headerOffset + 4)} ${readUint16(bytes, headerOffset + 6)}`
      headerOffset += 8
    } else
      headerOffset +=
        protocol === authenticationHeader ? (bytes[headerOffset + 1]! + 2) * 4 : (bytes[headerOffset + 1]! + 1) * 8
    protocol = nextHeader
  }
  return headerOffset > end
    ? undefined
    : { source, target, protocol, time, bytes: bytes.subarray(headerOffset, end), id, offset, hasMore }
}

/** Limits of the reassembly: incomplete packets, fragments of each, and bytes of each. */
const maxIncompletePackets = 512
const maxFragments = 200
const maxPacketBytes = 65_535

/** Reassembles fragments; returns a packet when it is complete. */
const createReassembler = () => {
  const incomplete = new Map<string, Fragment[]>()
  return (fragment: Fragment): IpPayload | undefined => {
    if (fragment.id === undefined) return fragment
    const fragments = [...(incomplete.get(fragment.id) ?? []), fragment]
    incomplete.delete(fragment.id)
    const lastFragment = fragments.find(({ hasMore }) => !hasMore)
    const receivedBytes = fragments.reduce((sum, { bytes }) => sum + bytes.length, 0)
    const size = lastFragment ? lastFragment.offset + lastFragment.bytes.length : Infinity
    if (receivedBytes >= size && size <= maxPacketBytes) {
      const packetBytes = new Uint8Array(size)
      let filledBytes = 0
      for (const { offset, bytes } of fragments.toSorted((a, b) => a.offset - b.offset)) {
        if (offset > filledBytes || offset >= size) continue
        packetBytes.set(bytes.subarray(0, size - offset), offset)
        filledBytes = Math.max(filledBytes, offset + bytes.length)
      }
      if (filledBytes >= size) return { ...fragments[0]!, time: fragment.time, bytes: packetBytes }
    }
    if (fragments.length < maxFragments) incomplete.set(fragment.id, fragments)
    // drop the packet that has waited longest for a fragment
    if (incomplete.size > maxIncompletePackets) incomplete.delete(incomplete.keys().next().value!)
    return undefined
  }
}

/** Returns a function that reads packets in sequence, and returns the payload of each complete IP packet. */
export const createIpReader = () => {
  const assemble = createReassembler()
  return (packet: Packet): IpPayload | undefined => {
    const ipOffset = getIpHeaderOffset(packet)
    if (ipOffset < 0 || packet.bytes.length < ipOffset + 20) return undefined
    const bytes = packet.bytes.subarray(ipOffset)
    const version = bytes[0]! >>> 4
    const fragment =
      version === 4 ? parseIPv4(bytes, packet.time) : version === 6 ? parseIPv6(bytes, packet.time) : undefined
    return fragment && assemble(fragment)
  }
}

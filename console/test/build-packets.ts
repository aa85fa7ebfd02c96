/** Builds packets byte by byte, as capture files store them. */
const encoder = new TextEncoder()

export const bytes = (text: string): Uint8Array => encoder.encode(text)

export const joinBytes = (...parts: (Uint8Array | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]))

export const u16 = (value: number): number[] => [(value >>> 8) & 255, value & 255]
export const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)]

const toLittleEndian = (big: number[]): number[] => big.toReversed()

const parseIPv6 = (address: string): number[] => {
  const [leftGroups = '', rightGroups] = address.split('::')
  const parseGroups = (text: string) => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)))
  const [front, back] = [parseGroups(leftGroups), parseGroups(rightGroups ?? '')]
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back].flatMap(u16)
}

interface IpOptions {
  from?: string
  to?: string
  protocol?: number
  /** The offset of a fragment. */
  offset?: number
  hasMore?: boolean
  id?: number
}

export const ip4 = (
  content: Uint8Array,
  { from = '198.51.100.24', to = '203.0.113.10', ...options }: IpOptions = {},
): Uint8Array => {
  const { protocol = 17, offset = 0, hasMore = false, id = 7 } = options
  const flags = (hasMore ? 0x2000 : 0) | (offset / 8)
  const header = [0x45, 0, ...u16(20 + content.length), ...u16(id), ...u16(flags), 64, protocol, 0, 0]
  return joinBytes(header, from.split('.').map(Number), to.split('.').map(Number), content)
}

export const ip6 = (
  content: Uint8Array,
  { from = '2001:db8::1', to = '2001:db8:0:1::2', ...options }: IpOptions = {},
): Uint8Array => {
  const { protocol = 17, offset, hasMore = false, id = 7 } = options
  const fragment = offset === undefined ? [] : [protocol, 0, ...u16(offset | (hasMore ? 1 : 0)), ...u32(id)]
  const nextHeader = offset === undefined ? protocol : 44
  const header = [0x60, 0, 0, 0, ...u16(fragment.length + content.length), nextHeader, 64]
  return joinBytes(header, parseIPv6(from), parseIPv6(to), fragment, content)
}

export const udp = (content: Uint8Array, from = 5060, to = 5060): Uint8Array =>
  joinBytes(u16(from), u16(to), u16(8 + content.length), [0, 0], content)

export const tcp = (
  content: Uint8Array,
  sequence: number,
  { from = 5060, to = 40_000, syn = false } = {},
): Uint8Array =>
  joinBytes(u16(from), u16(to), u32(sequence), u32(0), [0x50, syn ? 2 : 16], u16(0xffff), u32(0), content)

/** Link types: the number in the file, and the bytes before the IP packet. */
export const linkTypes: Record<string, { linkType: number; wrap: (ip: Uint8Array) => Uint8Array }> = {
  Ethernet: { linkType: 1, wrap: (ip) => joinBytes(Array<number>(12).fill(2), etherType(ip), ip) },
  'two VLANs': {
    linkType: 1,
    wrap: (ip) => joinBytes(Array<number>(12).fill(2), [0x88, 0xa8, 0, 1, 0x81, 0, 0, 2], etherType(ip), ip),
  },
  'raw IP': { linkType: 101, wrap: (ip) => ip },
  'Linux cooked': { linkType: 113, wrap: (ip) => joinBytes(Array<number>(14).fill(0), etherType(ip), ip) },
  'Linux cooked with a VLAN': {
    linkType: 113,
    wrap: (ip) => joinBytes(Array<number>(14).fill(0), [0x81, 0, 0, 2], etherType(ip), ip),
  },
  'Linux cooked, version 2': { linkType: 276, wrap: (ip) => joinBytes(etherType(ip), Array<number>(18).fill(0), ip) },
  'Linux cooked, version 2, with a VLAN': {
    linkType: 276,
    wrap: (ip) => joinBytes([0x81, 0], Array<number>(18).fill(0), [0, 2], etherType(ip), ip),
  },
  'loop-back': { linkType: 0, wrap: (ip) => joinBytes([2, 0, 0, 0], ip) },
}
const etherType = (ip: Uint8Array) => (ip[0]! >>> 4 === 4 ? [8, 0] : [0x86, 0xdd])

export interface RecordedPacket {
  /** Microseconds since 1970. */
  time: number
  bytes: Uint8Array
}

/** A pcap file, with timestamps in micro- or nanoseconds. */
export const pcap = (
  packets: RecordedPacket[],
  { linkType = 101, isBigEndian = false, hasNanoseconds = false } = {},
): Uint8Array => {
  const uint32 = (value: number) => (isBigEndian ? u32(value) : toLittleEndian(u32(value)))
  const uint16 = (value: number) => (isBigEndian ? u16(value) : toLittleEndian(u16(value)))
  return joinBytes(
    uint32(hasNanoseconds ? 0xa1b23c4d : 0xa1b2c3d4),
    uint16(2),
    uint16(4),
    [...uint32(0), ...uint32(0), ...uint32(65_535), ...uint32(linkType)],
    ...packets.map(({ time, bytes: packet }) =>
      joinBytes(
        uint32(Math.floor(time / 1e6)),
        uint32((time % 1e6) * (hasNanoseconds ? 1000 : 1)),
        uint32(packet.length),
        uint32(packet.length),
        packet,
      ),
    ),
  )
}

/** A pcapng file with timestamps in micro- or nanoseconds, an interface name, and a block of unknown type. */
export const pcapng = (
  packets: RecordedPacket[],
  { linkType = 101, isBigEndian = false, hasNanoseconds = false } = {},
): Uint8Array => {
  const uint32 = (value: number) => (isBigEndian ? u32(value) : toLittleEndian(u32(value)))
  const uint16 = (value: number) => (isBigEndian ? u16(value) : toLittleEndian(u16(value)))
  const block = (blockType: number, content: Uint8Array) => {
    const padded = joinBytes(content, Array<number>((4 - (content.length % 4)) % 4).fill(0))
    return joinBytes(uint32(blockType), uint32(padded.length + 12), padded, uint32(padded.length + 12))
  }
  const options = joinBytes(
    uint16(2),
    uint16(3),
    [101, 116, 104, 0],
    uint16(9),
    uint16(1),
    [hasNanoseconds ? 9 : 6, 0, 0, 0],
    uint32(0),
  )
  return joinBytes(
    block(0x0a0d0d0a, joinBytes(uint32(0x1a2b3c4d), uint16(1), uint16(0), uint32(0xffffffff), uint32(0xffffffff))),
    block(1, joinBytes(uint16(linkType), uint16(0), uint32(0), options)),
    block(0x0bad, bytes('unknown block')),
    ...packets.map(({ time, bytes: packet }) => {
      const ticks = BigInt(time) * (hasNanoseconds ? 1000n : 1n)
      const [high, low] = [Number(ticks >> 32n), Number(ticks & 0xffffffffn)]
      return block(
        6,
        joinBytes(uint32(0), uint32(high), uint32(low), uint32(packet.length), uint32(packet.length), packet),
      )
    }),
  )
}

/** A SIP message with the body's length in Content-Length. */
export const sip = (startLine: string, { callId = 'one@host', cseq = '1 INVITE', body = '' } = {}): Uint8Array =>
  bytes(
    `${startLine}\r\nVia: SIP/2.0/TCP a\r\nCall-ID: ${callId}\r\nCSeq: ${cseq}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )

/** A WebSocket frame: clients mask it, servers do not. */
export const buildWebSocketFrame = (
  content: Uint8Array,
  { isMasked = true, isFinal = true, opcode = 1 } = {},
): Uint8Array => {
  const mask = [1, 2, 3, 4]
  const length = content.length < 126 ? [content.length] : [126, ...u16(content.length)]
  length[0]! |= isMasked ? 0x80 : 0
  const payload = isMasked ? content.map((byte, index) => byte ^ mask[index & 3]!) : content
  return joinBytes([(isFinal ? 0x80 : 0) | opcode], length, isMasked ? mask : [], payload)
}

/** A seeded random generator, so that failures can be reproduced. */
export const createSeededRandom = (seed: number) => (limit: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * limit)
}

/** Builds packets byte by byte, as capture files store them. */
const encoder = new TextEncoder()

export const bytes = (text: string): Uint8Array => encoder.encode(text)

export const joinBytes = (...parts: (Uint8Array | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]))

export const u16 = (value: number): number[] => [(value >>> 8) & 255, value & 255]
export const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)]

const little = (big: number[]): number[] => big.toReversed()

const parseIPv6 = (address: string): number[] => {
  const [leftGroups = '', rightGroups] = address.split('::')
  const parseGroups = (text: string) => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)))
  const [front, back] = [parseGroups(leftGroups), parseGroups(rightGroups ?? '')]
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back].flatMap(u16)
}

interface Ip {
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
  { from = '198.51.100.24', to = '203.0.113.10', ...rest }: Ip = {},
): Uint8Array => {
  const { protocol = 17, offset = 0, hasMore = false, id = 7 } = rest
  const flags = (hasMore ? 0x2000 : 0) | (offset / 8)
  const head = [0x45, 0, ...u16(20 + content.length), ...u16(id), ...u16(flags), 64, protocol, 0, 0]
  return joinBytes(head, from.split('.').map(Number), to.split('.').map(Number), content)
}

export const ip6 = (
  content: Uint8Array,
  { from = '2001:db8::1', to = '2001:db8:0:1::2', ...rest }: Ip = {},
): Uint8Array => {
  const { protocol = 17, offset, hasMore = false, id = 7 } = rest
  const fragment = offset === undefined ? [] : [protocol, 0, ...u16(offset | (hasMore ? 1 : 0)), ...u32(id)]
  const nextHeader = offset === undefined ? protocol : 44
  const head = [0x60, 0, 0, 0, ...u16(fragment.length + content.length), nextHeader, 64]
  return joinBytes(head, parseIPv6(from), parseIPv6(to), fragment, content)
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
export const links: Record<string, { link: number; wrap: (ip: Uint8Array) => Uint8Array }> = {
  Ethernet: { link: 1, wrap: (ip) => joinBytes(Array<number>(12).fill(2), type(ip), ip) },
  'two VLANs': {
    link: 1,
    wrap: (ip) => joinBytes(Array<number>(12).fill(2), [0x88, 0xa8, 0, 1, 0x81, 0, 0, 2], type(ip), ip),
  },
  'raw IP': { link: 101, wrap: (ip) => ip },
  'Linux cooked': { link: 113, wrap: (ip) => joinBytes(Array<number>(14).fill(0), type(ip), ip) },
  'Linux cooked, version 2': { link: 276, wrap: (ip) => joinBytes(type(ip), Array<number>(18).fill(0), ip) },
  'loop-back': { link: 0, wrap: (ip) => joinBytes([2, 0, 0, 0], ip) },
}
const type = (ip: Uint8Array) => (ip[0]! >>> 4 === 4 ? [8, 0] : [0x86, 0xdd])

export interface Recorded {
  /** Microseconds since 1970. */
  time: number
  bytes: Uint8Array
}

/** A pcap file. `nano`: timestamps in nanoseconds; `big`: big endian. */
export const pcap = (packets: Recorded[], { link = 101, big = false, nano = false } = {}): Uint8Array => {
  const n32 = (value: number) => (big ? u32(value) : little(u32(value)))
  const n16 = (value: number) => (big ? u16(value) : little(u16(value)))
  return joinBytes(
    n32(nano ? 0xa1b23c4d : 0xa1b2c3d4),
    n16(2),
    n16(4),
    [...n32(0), ...n32(0), ...n32(65_535), ...n32(link)],
    ...packets.map(({ time, bytes: packet }) =>
      joinBytes(
        n32(Math.floor(time / 1e6)),
        n32((time % 1e6) * (nano ? 1000 : 1)),
        n32(packet.length),
        n32(packet.length),
        packet,
      ),
    ),
  )
}

/** A pcapng file with timestamps in micro- or nanoseconds, an interface name, and a block of unknown type. */
export const pcapng = (packets: Recorded[], { link = 101, big = false, nano = false } = {}): Uint8Array => {
  const n32 = (value: number) => (big ? u32(value) : little(u32(value)))
  const n16 = (value: number) => (big ? u16(value) : little(u16(value)))
  const block = (blockType: number, content: Uint8Array) => {
    const padded = joinBytes(content, Array<number>((4 - (content.length % 4)) % 4).fill(0))
    return joinBytes(n32(blockType), n32(padded.length + 12), padded, n32(padded.length + 12))
  }
  const options = joinBytes(n16(2), n16(3), [101, 116, 104, 0], n16(9), n16(1), [nano ? 9 : 6, 0, 0, 0], n32(0))
  return joinBytes(
    block(0x0a0d0d0a, joinBytes(n32(0x1a2b3c4d), n16(1), n16(0), n32(0xffffffff), n32(0xffffffff))),
    block(1, joinBytes(n16(link), n16(0), n32(0), options)),
    block(0x0bad, bytes('nobody knows')),
    ...packets.map(({ time, bytes: packet }) => {
      const ticks = BigInt(time) * (nano ? 1000n : 1n)
      const [high, low] = [Number(ticks >> 32n), Number(ticks & 0xffffffffn)]
      return block(6, joinBytes(n32(0), n32(high), n32(low), n32(packet.length), n32(packet.length), packet))
    }),
  )
}

/** A SIP message with the body's length in Content-Length. */
export const sip = (startLine: string, { callId = 'one@host', cseq = '1 INVITE', body = '' } = {}): Uint8Array =>
  bytes(
    `${startLine}\r\nVia: SIP/2.0/TCP a\r\nCall-ID: ${callId}\r\nCSeq: ${cseq}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )

/** A WebSocket frame: clients mask it, servers do not. */
export const frame = (
  content: Uint8Array,
  { masked = true, last: isLast = true, kind: opcode = 1 } = {},
): Uint8Array => {
  const mask = [1, 2, 3, 4]
  const length = content.length < 126 ? [content.length] : [126, ...u16(content.length)]
  length[0]! |= masked ? 0x80 : 0
  const payload = masked ? content.map((byte, index) => byte ^ mask[index & 3]!) : content
  return joinBytes([(isLast ? 0x80 : 0) | opcode], length, masked ? mask : [], payload)
}

/** A seeded random generator, so that failures can be reproduced. */
export const dice = (seed: number) => (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * below)
}

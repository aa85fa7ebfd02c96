import type { Packet } from './pcap'

/** The payload of a complete IP packet. */
export interface Carried {
  source: string
  target: string
  protocol: number
  time: number
  bytes: Uint8Array
}

const word = (bytes: Uint8Array, at: number) => (bytes[at]! << 8) | bytes[at + 1]!

/** Skips up to four nested VLAN tags. Returns the offset of the IP header, or -1 if the packet is not IP. */
const behindTags = (bytes: Uint8Array, typeAt: number): number => {
  let at = typeAt
  for (let depth = 0; depth < 4 && at + 2 <= bytes.length; depth += 1) {
    const type = word(bytes, at)
    if (type === 0x0800 || type === 0x86dd) return at + 2
    if (type !== 0x8100 && type !== 0x88a8 && type !== 0x9100) return -1
    at += 4
  }
  return -1
}

/** Returns the offset of the IP header by link-layer type; -1 if there is none. */
const ipAt = ({ link, bytes }: Packet): number => {
  switch (link) {
    case 1:
      return behindTags(bytes, 12)
    case 113:
      return behindTags(bytes, 14)
    case 276:
      return behindTags(bytes, 0) < 0 ? -1 : 20 + behindTags(bytes, 0) - 2
    // loopback: a 4-byte address family, with numbers that differ between systems
    case 0:
    case 108:
      return 4
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

const known = new Map<number, string>()

const address4 = (bytes: Uint8Array, at: number): string => {
  const key = ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
  const text = known.get(key) ?? `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`
  if (known.size < 10_000) known.set(key, text)
  return text
}

/** Formats an IPv6 address and shortens its longest run of zeros to '::'. */
const address6 = (bytes: Uint8Array, at: number): string => {
  const words = Array.from({ length: 8 }, (_, place) => word(bytes, at + place * 2))
  let [start, most] = [0, 1]
  for (let from = 0; from < 8; from += 1) {
    let count = 0
    while (from + count < 8 && words[from + count] === 0) count += 1
    if (count > most) [start, most] = [from, count]
  }
  const text = (part: number[]) => part.map((each) => each.toString(16)).join(':')
  return most > 1 ? `${text(words.slice(0, start))}::${text(words.slice(start + most))}` : text(words)
}

interface Part extends Carried {
  /** Identifies the fragments of a packet; undefined for an unfragmented packet. */
  id?: string
  offset: number
  more: boolean
}

const read4 = (bytes: Uint8Array, time: number): Part | undefined => {
  const header = (bytes[0]! & 15) * 4
  if (header < 20 || bytes.length < header) return undefined
  const total = word(bytes, 2)
  // with segmentation offload the captured length is 0
  const end = total === 0 ? bytes.length : Math.min(total, bytes.length)
  if (end < header) return undefined
  const flags = word(bytes, 6)
  const offset = (flags & 0x1fff) * 8
  const more = (flags & 0x2000) !== 0
  const [source, target, protocol] = [address4(bytes, 12), address4(bytes, 16), bytes[9]!]
  const id = offset > 0 || more ? `${source} ${target} ${protocol} ${word(bytes, 4)}` : undefined
  return { source, target, protocol, time, bytes: bytes.subarray(header, end), id, offset, more }
}

/** IPv6 extension headers, which precede the payload. */
const between = new Set([0, 43, 44, 51, 60])

const read6 = (bytes: Uint8Array, time: number): Part | undefined => {
  if (bytes.length < 40) return undefined
  const length = word(bytes, 4)
  const end = length === 0 ? bytes.length : Math.min(40 + length, bytes.length)
  const [source, target] = [address6(bytes, 8), address6(bytes, 24)]
  let protocol = bytes[6]!
  let at = 40
  let [id, offset, more]: [string | undefined, number, boolean] = [undefined, 0, false]
  for (let depth = 0; depth < 8 && between.has(protocol); depth += 1) {
    if (at + 8 > end) return undefined
    const next = bytes[at]!
    if (protocol === 44) {
      const flags = word(bytes, at + 2)
      offset = flags & 0xfff8
      more = (flags & 1) !== 0
      if (offset > 0 || more) id = `${source} ${target} ${word(bytes, at + 4)} ${word(bytes, at + 6)}`
      at += 8
    } else at += protocol === 51 ? (bytes[at + 1]! + 2) * 4 : (bytes[at + 1]! + 1) * 8
    protocol = next
  }
  return at > end ? undefined : { source, target, protocol, time, bytes: bytes.subarray(at, end), id, offset, more }
}

/** Limits of the reassembly: incomplete packets, fragments of each, and bytes of each. */
const mostWaiting = 512
const mostParts = 200
const mostBytes = 65_535

/** Reassembles fragments; returns a packet when it is complete. */
const assembling = () => {
  const waiting = new Map<string, Part[]>()
  return (part: Part): Carried | undefined => {
    if (part.id === undefined) return part
    const parts = [...(waiting.get(part.id) ?? []), part]
    waiting.delete(part.id)
    const last = parts.find(({ more }) => !more)
    const have = parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
    const size = last ? last.offset + last.bytes.length : Infinity
    if (have >= size && size <= mostBytes) {
      const whole = new Uint8Array(size)
      let filled = 0
      for (const { offset, bytes } of parts.toSorted((one, other) => one.offset - other.offset)) {
        if (offset > filled || offset >= size) continue
        whole.set(bytes.subarray(0, size - offset), offset)
        filled = Math.max(filled, offset + bytes.length)
      }
      if (filled >= size) return { ...parts[0]!, time: part.time, bytes: whole }
    }
    if (parts.length < mostParts) waiting.set(part.id, parts)
    // drop the packet that has waited longest for a fragment
    if (waiting.size > mostWaiting) waiting.delete(waiting.keys().next().value!)
    return undefined
  }
}

/** Returns a function that reads packets in sequence, and returns the payload of each complete IP packet. */
export const carrying = () => {
  const assemble = assembling()
  return (packet: Packet): Carried | undefined => {
    const at = ipAt(packet)
    if (at < 0 || packet.bytes.length < at + 20) return undefined
    const bytes = packet.bytes.subarray(at)
    const version = bytes[0]! >>> 4
    const part = version === 4 ? read4(bytes, packet.time) : version === 6 ? read6(bytes, packet.time) : undefined
    return part && assemble(part)
  }
}

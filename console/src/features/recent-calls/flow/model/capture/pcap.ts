/** A packet as it lies in a file. */
export interface Packet {
  /** What it begins with, by the numbers of the files. */
  link: number
  /** Microseconds since 1970. */
  time: number
  bytes: Uint8Array
}

/** A damaged file is read up to the damage. */
export interface PacketFile {
  packets: Packet[]
  /** Something behind the last packet could not be read. */
  cut: boolean
}

/** More than this no packet has; a length beyond it is damage. */
const longest = 1024 * 1024

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Byte order and unit of time by how a pcap file begins. */
const pcapForms: Record<number, { little: boolean; perMicrosecond: number; header: number }> = {
  0xd4c3b2a1: { little: true, perMicrosecond: 1, header: 16 },
  0xa1b2c3d4: { little: false, perMicrosecond: 1, header: 16 },
  0x4d3cb2a1: { little: true, perMicrosecond: 1000, header: 16 },
  0xa1b23c4d: { little: false, perMicrosecond: 1000, header: 16 },
  // a form of its own that some systems write, with more in front of each packet
  0x34cdb2a1: { little: true, perMicrosecond: 1, header: 24 },
  0xa1b2cd34: { little: false, perMicrosecond: 1, header: 24 },
}

const readPcap = (bytes: Uint8Array, { little, perMicrosecond, header }: (typeof pcapForms)[number]): PacketFile => {
  const data = view(bytes)
  const packets: Packet[] = []
  // the upper bits say how packets end
  const link = data.getUint32(20, little) & 0xffff
  let at = 24
  while (at + header <= bytes.length) {
    const length = data.getUint32(at + 8, little)
    const start = at + header
    if (length > longest || start + length > bytes.length) return { packets, cut: true }
    const time = data.getUint32(at, little) * 1e6 + Math.floor(data.getUint32(at + 4, little) / perMicrosecond)
    packets.push({ link, time, bytes: bytes.subarray(start, start + length) })
    at = start + length
  }
  return { packets, cut: at < bytes.length }
}

interface Interface {
  link: number
  /** Turns a count of the interface's units into microseconds. */
  timeOf: (high: number, low: number) => number
}

const clockOf = (resolution: number, offset: bigint): Interface['timeOf'] => {
  const power = BigInt(resolution & 0x7f)
  if (resolution === 6 && offset === 0n) return (high, low) => high * 4_294_967_296 + low
  // so many units that a number of ours holds none of them are nobody's clock
  const unit = resolution & 0x80 ? 2n ** (power > 63n ? 63n : power) : 10n ** (power > 18n ? 18n : power)
  return (high, low) => {
    const count = (BigInt(high) << 32n) | BigInt(low)
    return Number((count * 1_000_000n) / unit + offset * 1_000_000n)
  }
}

const interfaceOf = (data: DataView, from: number, to: number, little: boolean): Interface => {
  let resolution = 6
  let offset = 0n
  for (let at = from + 8; at + 4 <= to;) {
    const code = data.getUint16(at, little)
    const length = data.getUint16(at + 2, little)
    if (code === 0 || at + 4 + length > to) break
    if (code === 9 && length === 1) resolution = data.getUint8(at + 4)
    if (code === 14 && length === 8) offset = data.getBigInt64(at + 4, little)
    at += 4 + length + ((4 - (length % 4)) % 4)
  }
  return { link: data.getUint16(from, little), timeOf: clockOf(resolution, offset) }
}

const sectionHeader = 0x0a0d0d0a
const byteOrder = 0x1a2b3c4d

/** A packet of a block that begins with its interface and its time; undefined for one that cannot be. */
const enhanced = (bytes: Uint8Array, data: DataView, from: number, to: number, little: boolean, known: Interface[]) => {
  if (from + 20 > to) return undefined
  const source = known[data.getUint32(from, little)]
  const length = data.getUint32(from + 12, little)
  if (!source || length > longest || from + 20 + length > to) return undefined
  const time = source.timeOf(data.getUint32(from + 4, little), data.getUint32(from + 8, little))
  return { link: source.link, time, bytes: bytes.subarray(from + 20, from + 20 + length) }
}

const simple = (bytes: Uint8Array, data: DataView, from: number, to: number, little: boolean, known: Interface[]) => {
  if (from + 4 > to || !known[0]) return undefined
  const length = Math.min(data.getUint32(from, little), to - from - 4)
  return { link: known[0].link, time: 0, bytes: bytes.subarray(from + 4, from + 4 + length) }
}

/** Blocks with a packet, by their numbers. */
const readBlock: Record<number, typeof enhanced | undefined> = { 3: simple, 6: enhanced }

const readPcapng = (bytes: Uint8Array): PacketFile => {
  const data = view(bytes)
  const packets: Packet[] = []
  let known: Interface[] = []
  let little = true
  let at = 0
  while (at + 12 <= bytes.length) {
    const isSection = data.getUint32(at) === sectionHeader
    if (isSection) {
      little = data.getUint32(at + 8, true) === byteOrder
      if (!little && data.getUint32(at + 8) !== byteOrder) break
      known = []
    }
    const type = data.getUint32(at, little)
    const length = data.getUint32(at + 4, little)
    if (length < 12 || length % 4 !== 0 || at + length > bytes.length) break
    const [from, to] = [at + 8, at + length - 4]
    if (type === 1 && from + 8 <= to) known.push(interfaceOf(data, from, to, little))
    const packet = readBlock[type]?.(bytes, data, from, to, little, known)
    if (packet) packets.push(packet)
    at += length
  }
  return { packets, cut: at < bytes.length }
}

/** The packets of a pcap or pcapng file; undefined when it is neither. */
export const packetsOf = (bytes: Uint8Array): PacketFile | undefined => {
  if (bytes.length < 24) return undefined
  const first = view(bytes).getUint32(0)
  if (first === sectionHeader) return readPcapng(bytes)
  const form = pcapForms[first]
  return form && readPcap(bytes, form)
}

/** A packet of a capture file. */
export interface Packet {
  /** Link-layer type, as numbered in pcap files. */
  link: number
  /** Microseconds since 1970. */
  time: number
  bytes: Uint8Array
}

/** Packets of a file; those of a damaged file up to the damage. */
export interface PacketFile {
  packets: Packet[]
  /** The data after the last packet was not readable. */
  cut: boolean
}

/** Maximum packet size in bytes; a greater length means that the file is damaged. */
const longest = 1024 * 1024

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Byte order, time unit and packet header size of a pcap file, by its magic number. */
const pcapForms: Record<number, { little: boolean; perMicrosecond: number; header: number }> = {
  0xd4c3b2a1: { little: true, perMicrosecond: 1, header: 16 },
  0xa1b2c3d4: { little: false, perMicrosecond: 1, header: 16 },
  0x4d3cb2a1: { little: true, perMicrosecond: 1000, header: 16 },
  0xa1b23c4d: { little: false, perMicrosecond: 1000, header: 16 },
  // modified pcap, which some systems write, with longer packet headers
  0x34cdb2a1: { little: true, perMicrosecond: 1, header: 24 },
  0xa1b2cd34: { little: false, perMicrosecond: 1, header: 24 },
}

const readPcap = (bytes: Uint8Array, { little, perMicrosecond, header }: (typeof pcapForms)[number]): PacketFile => {
  const data = view(bytes)
  const packets: Packet[] = []
  // the upper bits describe the frame check sequence
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
  /** Converts a timestamp of the interface to microseconds. */
  timeOf: (high: number, low: number) => number
}

const clockOf = (resolution: number, offset: bigint): Interface['timeOf'] => {
  const power = BigInt(resolution & 0x7f)
  if (resolution === 6 && offset === 0n) return (high, low) => high * 4_294_967_296 + low
  // limit the exponent, because no real clock is finer
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

/** Reads an Enhanced Packet Block, which contains its interface and time; undefined if it is invalid. */
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

/** Readers of the block types that contain a packet. */
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

/** Reads the packets of a pcap or pcapng file; undefined for any other file. */
export const packetsOf = (bytes: Uint8Array): PacketFile | undefined => {
  if (bytes.length < 24) return undefined
  const first = view(bytes).getUint32(0)
  if (first === sectionHeader) return readPcapng(bytes)
  const form = pcapForms[first]
  return form && readPcap(bytes, form)
}

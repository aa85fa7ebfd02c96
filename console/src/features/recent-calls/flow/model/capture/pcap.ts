/** A packet of a capture file. */
export interface Packet {
  /** Link-layer type, as numbered in pcap files. */
  linkType: number
  /** Microseconds since 1970. */
  time: number
  bytes: Uint8Array
}

/** Packets of a file; those of a damaged file up to the damage. */
export interface PacketFile {
  packets: Packet[]
  /** The data after the last packet is not readable. */
  isDamaged: boolean
}

/** Maximum packet size in bytes; a greater length means that the file is damaged. */
const maxPacketBytes = 1024 * 1024

const dataView = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Byte order, time unit and packet header size of a pcap file, by its magic number. */
const pcapFormats: Record<number, { isLittleEndian: boolean; unitsPerMicrosecond: number; headerLength: number }> = {
  0xd4c3b2a1: { isLittleEndian: true, unitsPerMicrosecond: 1, headerLength: 16 },
  0xa1b2c3d4: { isLittleEndian: false, unitsPerMicrosecond: 1, headerLength: 16 },
  0x4d3cb2a1: { isLittleEndian: true, unitsPerMicrosecond: 1000, headerLength: 16 },
  0xa1b23c4d: { isLittleEndian: false, unitsPerMicrosecond: 1000, headerLength: 16 },
  // modified pcap, which some systems write, with longer packet headers
  0x34cdb2a1: { isLittleEndian: true, unitsPerMicrosecond: 1, headerLength: 24 },
  0xa1b2cd34: { isLittleEndian: false, unitsPerMicrosecond: 1, headerLength: 24 },
}

const readPcap = (
  bytes: Uint8Array,
  { isLittleEndian, unitsPerMicrosecond, headerLength }: (typeof pcapFormats)[number],
): PacketFile => {
  const data = dataView(bytes)
  const packets: Packet[] = []
  // the upper bits describe the frame check sequence
  const linkType = data.getUint32(20, isLittleEndian) & 0xffff
  let offset = 24
  while (offset + headerLength <= bytes.length) {
    const length = data.getUint32(offset + 8, isLittleEndian)
    const start = offset + headerLength
    if (length > maxPacketBytes || start + length > bytes.length) return { packets, isDamaged: true }
    const time =
      data.getUint32(offset, isLittleEndian) * 1e6 +
      Math.floor(data.getUint32(offset + 4, isLittleEndian) / unitsPerMicrosecond)
    packets.push({ linkType, time, bytes: bytes.subarray(start, start + length) })
    offset = start + length
  }
  return { packets, isDamaged: offset < bytes.length }
}

interface Interface {
  linkType: number
  /** Converts a timestamp of the interface to microseconds. */
  toMicroseconds: (high: number, low: number) => number
}

const createTimestampConverter = (resolution: number, offset: bigint): Interface['toMicroseconds'] => {
  const power = BigInt(resolution & 0x7f)
  if (resolution === 6 && offset === 0n) return (high, low) => high * 4_294_967_296 + low
  // limit the exponent, because no real clock is finer
  const unit = resolution & 0x80 ? 2n ** (power > 63n ? 63n : power) : 10n ** (power > 18n ? 18n : power)
  return (high, low) => {
    const count = (BigInt(high) << 32n) | BigInt(low)
    return Number((count * 1_000_000n) / unit + offset * 1_000_000n)
  }
}

const parseInterface = (data: DataView, from: number, to: number, isLittleEndian: boolean): Interface => {
  let resolution = 6
  let timeOffset = 0n
  for (let offset = from + 8; offset + 4 <= to;) {
    const code = data.getUint16(offset, isLittleEndian)
    const length = data.getUint16(offset + 2, isLittleEndian)
    if (code === 0 || offset + 4 + length > to) break
    if (code === 9 && length === 1) resolution = data.getUint8(offset + 4)
    if (code === 14 && length === 8) timeOffset = data.getBigInt64(offset + 4, isLittleEndian)
    offset += 4 + length + ((4 - (length % 4)) % 4)
  }
  return {
    linkType: data.getUint16(from, isLittleEndian),
    toMicroseconds: createTimestampConverter(resolution, timeOffset),
  }
}

const sectionHeaderType = 0x0a0d0d0a
const byteOrderMagic = 0x1a2b3c4d

/** Reads an Enhanced Packet Block, which contains its interface and time; undefined if it is invalid. */
const readEnhancedBlock = (
  bytes: Uint8Array,
  data: DataView,
  from: number,
  to: number,
  isLittleEndian: boolean,
  interfaces: Interface[],
) => {
  if (from + 20 > to) return undefined
  const packetInterface = interfaces[data.getUint32(from, isLittleEndian)]
  const length = data.getUint32(from + 12, isLittleEndian)
  if (!packetInterface || length > maxPacketBytes || from + 20 + length > to) return undefined
  const time = packetInterface.toMicroseconds(
    data.getUint32(from + 4, isLittleEndian),
    data.getUint32(from + 8, isLittleEndian),
  )
  return { linkType: packetInterface.linkType, time, bytes: bytes.subarray(from + 20, from + 20 + length) }
}

const readSimpleBlock = (
  bytes: Uint8Array,
  data: DataView,
  from: number,
  to: number,
  isLittleEndian: boolean,
  interfaces: Interface[],
) => {
  if (from + 4 > to || !interfaces[0]) return undefined
  const length = Math.min(data.getUint32(from, isLittleEndian), to - from - 4)
  return { linkType: interfaces[0].linkType, time: 0, bytes: bytes.subarray(from + 4, from + 4 + length) }
}

/** Readers of the blocks that contain a packet, by block type. */
const blockReaders: Record<number, typeof readEnhancedBlock | undefined> = { 3: readSimpleBlock, 6: readEnhancedBlock }

const readPcapng = (bytes: Uint8Array): PacketFile => {
  const data = dataView(bytes)
  const packets: Packet[] = []
  let interfaces: Interface[] = []
  let isLittleEndian = true
  let offset = 0
  while (offset + 12 <= bytes.length) {
    const isSection = data.getUint32(offset) === sectionHeaderType
    if (isSection) {
      isLittleEndian = data.getUint32(offset + 8, true) === byteOrderMagic
      if (!isLittleEndian && data.getUint32(offset + 8) !== byteOrderMagic) break
      interfaces = []
    }
    const type = data.getUint32(offset, isLittleEndian)
    const length = data.getUint32(offset + 4, isLittleEndian)
    if (length < 12 || length % 4 !== 0 || offset + length > bytes.length) break
    const [from, to] = [offset + 8, offset + length - 4]
    if (type === 1 && from + 8 <= to) interfaces.push(parseInterface(data, from, to, isLittleEndian))
    const packet = blockReaders[type]?.(bytes, data, from, to, isLittleEndian, interfaces)
    if (packet) packets.push(packet)
    offset += length
  }
  return { packets, isDamaged: offset < bytes.length }
}

/** Reads the packets of a pcap or pcapng file; undefined for any other file. */
export const readPackets = (bytes: Uint8Array): PacketFile | undefined => {
  if (bytes.length < 24) return undefined
  const magicNumber = dataView(bytes).getUint32(0)
  if (magicNumber === sectionHeaderType) return readPcapng(bytes)
  const format = pcapFormats[magicNumber]
  return format && readPcap(bytes, format)
}

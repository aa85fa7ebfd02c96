import { isIP } from 'node:net'
import type { CapturedMessage, Endpoint } from '../../ports/captures'

/** The number by which files say that their packets begin with an IP header of either version. */
const rawIp = 101
const udp = 17
const recordHeader = 16
const udpHeader = 8
/** Longer packets than this there are none. */
const mostBytes = 65_535

/** What a file begins with: little endian, times in microseconds. */
const fileHeader = (): Buffer => {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(mostBytes, 16)
  header.writeUInt32LE(rawIp, 20)
  return header
}

/** The sum of 16-bit words that IP and UDP check what has arrived by. */
const checksum = (parts: readonly Buffer[]): number => {
  let sum = 0
  for (const part of parts) {
    const even = part.length & ~1
    for (let at = 0; at < even; at += 2) sum += (part[at]! << 8) | part[at + 1]!
    if (part.length > even) sum += part[even]! << 8
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

const ipHeader = (source: Buffer, target: Buffer, length: number): Buffer => {
  const four = source.length === 4
  const header = Buffer.alloc(four ? 20 : 40)
  if (four) {
    header[0] = 0x45
    header.writeUInt16BE(20 + length, 2)
    header.writeUInt16BE(0x4000, 6)
    header[8] = 64
    header[9] = udp
  } else {
    header[0] = 0x60
    header.writeUInt16BE(length, 4)
    header[6] = udp
    header[7] = 64
  }
  source.copy(header, four ? 12 : 8)
  target.copy(header, four ? 16 : 24)
  if (four) header.writeUInt16BE(checksum([header]), 10)
  return header
}

/**
 * A message as a packet of a file, in a datagram also when something else has carried it: what captures tells of whole
 * messages, not of the segments of a stream.
 */
export const packetOf = ({ source, target, time, payload }: CapturedMessage): Buffer => {
  const length = udpHeader + payload.length
  const ip = ipHeader(source.address, target.address, length)
  const datagram = Buffer.alloc(udpHeader)
  datagram.writeUInt16BE(source.port, 0)
  datagram.writeUInt16BE(target.port, 2)
  datagram.writeUInt16BE(length, 4)
  const pseudo = Buffer.from([0, udp, length >>> 8, length & 0xff])
  const sum = checksum([source.address, target.address, pseudo, datagram, payload])
  // none at all would be said by zero
  datagram.writeUInt16BE(sum || 0xffff, 6)
  const record = Buffer.alloc(recordHeader)
  record.writeUInt32LE(Math.floor(time / 1e6), 0)
  record.writeUInt32LE(time % 1e6, 4)
  record.writeUInt32LE(ip.length + length, 8)
  record.writeUInt32LE(ip.length + length, 12)
  return Buffer.concat([record, ip, datagram, payload])
}

/** The packets that were written one behind the other, in the order in which they were seen. */
export const packetsIn = (parts: readonly Buffer[]): Buffer[] => {
  const found: { time: number; packet: Buffer }[] = []
  for (const part of parts)
    for (let at = 0; at + recordHeader <= part.length;) {
      const end = at + recordHeader + part.readUInt32LE(at + 8)
      found.push({ time: part.readUInt32LE(at) * 1e6 + part.readUInt32LE(at + 4), packet: part.subarray(at, end) })
      at = end
    }
  return found.toSorted((one, other) => one.time - other.time).map(({ packet }) => packet)
}

/** Packets as a file that Wireshark and the like open. */
export const pcapOf = (packets: readonly Buffer[]): Buffer => Buffer.concat([fileHeader(), ...packets])

const words = (bytes: Buffer) => Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16)).join(':')

/** An address as people write it. */
const addressText = (bytes: Buffer): string => {
  if (bytes.length === 4) return bytes.join('.')
  const text = words(bytes)
  return isIP(text) ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text
}

const end = ({ address, port }: Endpoint) => ({ address: addressText(address), port })

/** What a packet of ours says. */
export const readPacket = (record: Buffer) => {
  const seconds = record.readUInt32LE(0)
  const microseconds = record.readUInt32LE(4)
  const packet = record.subarray(recordHeader)
  const four = packet[0]! >>> 4 === 4
  const [from, to, data] = four ? [12, 16, 20] : [8, 24, 40]
  const size = four ? 4 : 16
  return {
    seconds,
    microseconds,
    source: end({ address: packet.subarray(from, from + size), port: packet.readUInt16BE(data) }),
    target: end({ address: packet.subarray(to, to + size), port: packet.readUInt16BE(data + 2) }),
    payload: packet.subarray(data + udpHeader),
  }
}

import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createHepChunk, hepPacketOf, createHepPacket, buildDialog } from '../../test/external/hep-agent'
import { parseSipDialog, readPacketLength, parseHepPacket } from './hep-packet'

const [invite] = buildDialog({ callId: 'one@host', startUs: 1_700_000_000_123_456 })
const completePacket = hepPacketOf({ ...invite!, key: 'secret' })

/** Splits a packet into chunks, for tests that omit or replace some. */
const splitChunks = (bytes: Buffer): Buffer[] => {
  const result: Buffer[] = []
  for (let index = 6; index < bytes.length; index += bytes.readUInt16BE(index + 4))
    result.push(bytes.subarray(index, index + bytes.readUInt16BE(index + 4)))
  return result
}
const readChunkType = (part: Buffer) => part.readUInt16BE(2)
const packetWithout = (...types: number[]) =>
  createHepPacket(...splitChunks(completePacket).filter((part) => !types.includes(readChunkType(part))))

describe('HEP', () => {
  it('is parsed for both address families, with microseconds', () => {
    expect(parseHepPacket(completePacket)).toEqual({
      payloadType: 1,
      source: { address: Buffer.from([198, 51, 100, 24]), port: 5060 },
      target: { address: Buffer.from([203, 0, 113, 10]), port: 5060 },
      timeUs: 1_700_000_000_123_456,
      key: Buffer.from('secret'),
      payload: Buffer.from(invite!.payload),
    })
    const ipv6Packet = parseHepPacket(
      hepPacketOf({ ...invite!, source: ['2001:db8:0:0:0:0:0:1', 5060], target: ['fe80:0:0:0:0:0:0:2', 5] }),
    )
    expect(ipv6Packet?.source.address.toString('hex')).toBe('20010db8000000000000000000000001')
    expect(ipv6Packet?.target).toMatchObject({ port: 5 })
    expect(ipv6Packet?.key).toBeUndefined()
  })

  it('may contain a compressed message and vendor chunks, which are skipped', () => {
    for (const compress of [deflateSync, gzipSync]) {
      const compressedPacket = createHepPacket(
        ...splitChunks(packetWithout(15)),
        createHepChunk(15, Buffer.from('vendor data'), 0x000a),
        createHepChunk(16, compress(invite!.payload)),
      )
      expect(parseHepPacket(compressedPacket)?.payload.toString()).toBe(invite!.payload)
    }
    const decompressionBomb = createHepPacket(
      ...splitChunks(packetWithout(15)),
      createHepChunk(16, deflateSync(Buffer.alloc(50_000_000))),
    )
    expect(parseHepPacket(decompressionBomb)).toBeUndefined()
  })

  it.each([
    ['without a payload', packetWithout(15)],
    ['without an address', packetWithout(3)],
    ['without a port', packetWithout(8)],
    ['without a time', packetWithout(9)],
    [
      'with more than a million microseconds',
      createHepPacket(...splitChunks(packetWithout(10)), createHepChunk(10, Buffer.from('000f4241', 'hex'))),
    ],
    [
      'with an address of three bytes',
      createHepPacket(...splitChunks(packetWithout(3)), createHepChunk(3, Buffer.from([1, 2, 3]))),
    ],
    ['with trailing bytes', Buffer.concat([completePacket, Buffer.from('x')])],
    ['that is truncated', completePacket.subarray(0, -1)],
    ['of version 2', Buffer.concat([Buffer.from('021c0211c413c4137f0000017f000001', 'hex'), Buffer.from('SIP')])],
    ['without bytes', Buffer.alloc(0)],
  ])('%s is not a packet', (_, bytes) => {
    expect(parseHepPacket(bytes)).toBeUndefined()
  })

  it('reports its length as soon as it is known', () => {
    expect(readPacketLength(completePacket)).toBe(completePacket.length)
    for (const byteCount of [0, 3, 5]) expect(readPacketLength(completePacket.subarray(0, byteCount))).toBeUndefined()
    expect(readPacketLength(Buffer.from('HEP3\0\x05'))).toBe(0)
    expect(readPacketLength(Buffer.from('HTTP'))).toBe(0)
    expect(readPacketLength(Buffer.from('X'))).toBe(0)
  })
})

describe('a SIP message', () => {
  const parseLines = (...lines: string[]) => parseSipDialog(Buffer.from([...lines, '', 'body'].join('\r\n')))

  it('belongs to the SIP dialog of its Call-ID', () => {
    expect(parseSipDialog(Buffer.from(invite!.payload))).toEqual({ callId: 'one@host', isRegistration: false })
    expect(parseLines('SIP/2.0 401 Unauthorized', 'i:  a b@c  ', 'CSeq: 7  register')).toEqual({
      callId: 'a b@c',
      isRegistration: true,
    })
  })

  it.each([
    ['with only line breaks', ['', '']],
    ['HTTP', ['GET / HTTP/1.1', 'Call-ID: 1', 'CSeq: 1 INVITE']],
    ['without a Call-ID', ['INVITE sip:a SIP/2.0', 'CSeq: 1 INVITE']],
    ['without a method', ['INVITE sip:a SIP/2.0', 'Call-ID: 1']],
    ['with a Call-ID in its body only', ['INVITE sip:a SIP/2.0', 'CSeq: 1 INVITE', '', 'Call-ID: 1']],
    ['with a Call-ID too long for the table', ['BYE sip:a SIP/2.0', `Call-ID: ${'x'.repeat(256)}`, 'CSeq: 1 BYE']],
  ])('is rejected %s', (_, lines) => {
    expect(parseLines(...lines)).toBeUndefined()
  })
})

it('random input is parsed or rejected', () => {
  let seed = 7
  const nextInteger = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * limit)
  }
  const counts = { parsed: 0, rejected: 0 }
  for (let round = 0; round < 5000; round += 1) {
    const bytes = Buffer.from(completePacket)
    for (let count = 1 + nextInteger(8); count > 0; count -= 1)
      bytes[nextInteger(round % 2 ? 140 : bytes.length)] = nextInteger(256)
    const damagedBytes = nextInteger(3) === 0 ? bytes.subarray(0, nextInteger(bytes.length)) : bytes
    const length = readPacketLength(damagedBytes)
    expect(length === undefined || (length >= 0 && length <= 65_535)).toBe(true)
    const result = parseHepPacket(damagedBytes)
    if (result) parseSipDialog(result.payload)
    counts[result ? 'parsed' : 'rejected'] += 1
  }
  expect(counts.parsed).toBeGreaterThan(100)
  expect(counts.rejected).toBeGreaterThan(100)
})

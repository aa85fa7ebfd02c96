import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chunk, hepOf, packet, talk } from '../../test/external/hep-agent'
import { dialogueOf, packetLength, readHep } from './hep-packet'

const [invite] = talk({ callId: 'one@host', start: 1_700_000_000_123_456 })
const complete = hepOf({ ...invite!, key: 'secret' })

/** The chunks of a packet, for tests that omit or replace some. */
const parts = (bytes: Buffer): Buffer[] => {
  const result: Buffer[] = []
  for (let index = 6; index < bytes.length; index += bytes.readUInt16BE(index + 4))
    result.push(bytes.subarray(index, index + bytes.readUInt16BE(index + 4)))
  return result
}
const typeOf = (part: Buffer) => part.readUInt16BE(2)
const without = (...types: number[]) => packet(...parts(complete).filter((part) => !types.includes(typeOf(part))))

describe('HEP', () => {
  it('is parsed for both address families, with microseconds', () => {
    expect(readHep(complete)).toEqual({
      payloadType: 1,
      source: { address: Buffer.from([198, 51, 100, 24]), port: 5060 },
      target: { address: Buffer.from([203, 0, 113, 10]), port: 5060 },
      time: 1_700_000_000_123_456,
      key: Buffer.from('secret'),
      payload: Buffer.from(invite!.payload),
    })
    const six = readHep(
      hepOf({ ...invite!, source: ['2001:db8:0:0:0:0:0:1', 5060], target: ['fe80:0:0:0:0:0:0:2', 5] }),
    )
    expect(six?.source.address.toString('hex')).toBe('20010db8000000000000000000000001')
    expect(six?.target).toMatchObject({ port: 5 })
    expect(six?.key).toBeUndefined()
  })

  it('may contain a compressed message and vendor chunks, which are skipped', () => {
    for (const pack of [deflateSync, gzipSync]) {
      const packed = packet(
        ...parts(without(15)),
        chunk(15, Buffer.from('of somebody else'), 0x000a),
        chunk(16, pack(invite!.payload)),
      )
      expect(readHep(packed)?.payload.toString()).toBe(invite!.payload)
    }
    const bomb = packet(...parts(without(15)), chunk(16, deflateSync(Buffer.alloc(50_000_000))))
    expect(readHep(bomb)).toBeUndefined()
  })

  it.each([
    ['without a payload', without(15)],
    ['without an address', without(3)],
    ['without a port', without(8)],
    ['without a time', without(9)],
    ['with more than a million microseconds', packet(...parts(without(10)), chunk(10, Buffer.from('000f4241', 'hex')))],
    ['with an address of three bytes', packet(...parts(without(3)), chunk(3, Buffer.from([1, 2, 3])))],
    ['with trailing bytes', Buffer.concat([complete, Buffer.from('x')])],
    ['that is truncated', complete.subarray(0, -1)],
    ['of version 2', Buffer.concat([Buffer.from('021c0211c413c4137f0000017f000001', 'hex'), Buffer.from('SIP')])],
    ['without bytes', Buffer.alloc(0)],
  ])('%s is not a packet', (_, bytes) => {
    expect(readHep(bytes)).toBeUndefined()
  })

  it('reports its length as soon as it is known', () => {
    expect(packetLength(complete)).toBe(complete.length)
    for (const known of [0, 3, 5]) expect(packetLength(complete.subarray(0, known))).toBeUndefined()
    expect(packetLength(Buffer.from('HEP3\0\x05'))).toBe(0)
    expect(packetLength(Buffer.from('HTTP'))).toBe(0)
    expect(packetLength(Buffer.from('X'))).toBe(0)
  })
})

describe('a SIP message', () => {
  const message = (...lines: string[]) => dialogueOf(Buffer.from([...lines, '', 'body'].join('\r\n')))

  it('belongs to the dialogue of its Call-ID', () => {
    expect(dialogueOf(Buffer.from(invite!.payload))).toEqual({ callId: 'one@host', isRegistration: false })
    expect(message('SIP/2.0 401 Unauthorized', 'i:  a b@c  ', 'CSeq: 7  register')).toEqual({
      callId: 'a b@c',
      isRegistration: true,
    })
  })

  it.each([
    ['that keeps a connection alive', ['', '']],
    ['HTTP', ['GET / HTTP/1.1', 'Call-ID: 1', 'CSeq: 1 INVITE']],
    ['without a Call-ID', ['INVITE sip:a SIP/2.0', 'CSeq: 1 INVITE']],
    ['without a method', ['INVITE sip:a SIP/2.0', 'Call-ID: 1']],
    ['with a Call-ID in its body only', ['INVITE sip:a SIP/2.0', 'CSeq: 1 INVITE', '', 'Call-ID: 1']],
    ['with a Call-ID too long for the table', ['BYE sip:a SIP/2.0', `Call-ID: ${'x'.repeat(256)}`, 'CSeq: 1 BYE']],
  ])('is rejected %s', (_, lines) => {
    expect(message(...lines)).toBeUndefined()
  })
})

it('random input is parsed or rejected', () => {
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const received = { read: 0, refused: 0 }
  for (let round = 0; round < 5000; round += 1) {
    const bytes = Buffer.from(complete)
    for (let count = 1 + next(8); count > 0; count -= 1) bytes[next(round % 2 ? 140 : bytes.length)] = next(256)
    const broken = next(3) === 0 ? bytes.subarray(0, next(bytes.length)) : bytes
    const length = packetLength(broken)
    expect(length === undefined || (length >= 0 && length <= 65_535)).toBe(true)
    const result = readHep(broken)
    if (result) dialogueOf(result.payload)
    received[result ? 'read' : 'refused'] += 1
  }
  expect(received.read).toBeGreaterThan(100)
  expect(received.refused).toBeGreaterThan(100)
})

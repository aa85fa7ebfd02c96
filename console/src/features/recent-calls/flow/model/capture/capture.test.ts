import { describe, expect, it } from 'vitest'
import { parseCapture, mergeCaptures } from './capture'
import { findHeaderValue, splitSipMessage } from '@trunkline/contract/calls/sip-message'
import {
  bytes,
  dice,
  frame,
  ip4,
  ip6,
  joinBytes,
  links,
  pcap,
  pcapng,
  sip,
  tcp,
  u16,
  u32,
  udp,
} from '../../../../../../test/build-packets'

const start = 1_700_000_000_123_456
const invite = sip('INVITE sip:b SIP/2.0', { body: 'v=0' })
const text = new TextDecoder().decode(invite)
const at = (packets: Uint8Array[]) => packets.map((each, place) => ({ time: start + place * 1000, bytes: each }))
const read = (file: Uint8Array) => parseCapture(file)!
const firsts = (packets: Uint8Array[]) => read(pcap(at(packets))).messages.map(({ text: all }) => all.split('\r\n')[0])

describe('reading a capture file', () => {
  const forms = [pcap, pcapng].flatMap((write) =>
    [false, true].flatMap((big) => [false, true].map((nano) => [write.name, big, nano, write] as const)),
  )
  it.each(forms)('reads %s, big endian %s, nanoseconds %s', (_, big, nano, write) => {
    const { messages, packets, cut } = read(write(at([ip4(udp(invite)), ip4(udp(invite))]), { big, nano }))
    expect({ packets, cut }).toEqual({ packets: 2, cut: false })
    expect(messages).toEqual([
      {
        time: start,
        source: { address: '198.51.100.24', port: 5060 },
        target: { address: '203.0.113.10', port: 5060 },
        transport: 'UDP',
        text,
        cut: false,
        callId: 'one@host',
        method: 'INVITE',
      },
      expect.objectContaining({ time: start + 1000 }),
    ])
  })

  it.each(Object.entries(links))('reads %s with IPv4 and IPv6', (_, { link, wrap }) => {
    const file = pcap(at([wrap(ip4(udp(invite))), wrap(ip6(udp(invite)))]), { link })
    expect(read(file).messages.map(({ source, target }) => `${source.address} > ${target.address}`)).toEqual([
      '198.51.100.24 > 203.0.113.10',
      '2001:db8::1 > 2001:db8:0:1::2',
    ])
  })

  it('reads a truncated file up to the end, and returns undefined for other files', () => {
    const file = pcap(at([ip4(udp(invite)), ip4(udp(invite))]))
    expect(read(file.subarray(0, -1))).toMatchObject({ packets: 1, cut: true, messages: [{ callId: 'one@host' }] })
    expect(read(pcapng(at([ip4(udp(invite))])).subarray(0, -4))).toMatchObject({ packets: 0, cut: true })
    expect(parseCapture(bytes('This is a letter to grandmother.'))).toBeUndefined()
    expect(parseCapture(new Uint8Array())).toBeUndefined()
  })

  it('marks a message that was captured only in part', () => {
    const whole = ip4(udp(invite))
    expect(read(pcap(at([whole.subarray(0, -5)]))).messages).toMatchObject([{ cut: true, callId: 'one@host' }])
  })
})

describe('IP fragments', () => {
  const long = sip('INVITE sip:b SIP/2.0', { body: 'x'.repeat(4000) })
  const datagram = udp(long)
  const parts = [0, 1480, 2960].map((offset) => ({
    offset,
    hasMore: offset < 2960,
    content: datagram.subarray(offset, Math.min(offset + 1480, datagram.length)),
  }))

  it.each([
    ['IPv4', ip4],
    ['IPv6', ip6],
  ])('reassembles %s fragments in any order', (_, ip) => {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
      [1, 1, 2, 0],
    ]) {
      const packets = order.map((place) => parts[place]!).map(({ content, ...how }) => ip(content, how))
      const { messages } = read(pcap(at(packets)))
      expect(messages.map((message) => message.text.length)).toEqual([long.length])
    }
  })

  it('ignores an incomplete datagram', () => {
    expect(firsts(parts.slice(0, 2).map(({ content, ...how }) => ip4(content, how)))).toEqual([])
  })
})

describe('TCP streams', () => {
  const ok = sip('SIP/2.0 200 OK', { cseq: '1 INVITE', body: 'v=0\r\n' })
  const both = joinBytes(invite, bytes('\r\n\r\n'), ok)
  const segments = (stream: Uint8Array, size: number, first = 1000) =>
    Array.from({ length: Math.ceil(stream.length / size) }, (_, place) =>
      ip4(tcp(stream.subarray(place * size, (place + 1) * size), (first + place * size) >>> 0), { protocol: 6 }),
    )
  const two = ['INVITE sip:b SIP/2.0', 'SIP/2.0 200 OK']

  it.each([1, 7, 100, 10_000])('reads segments of %i bytes', (size) => {
    const found = read(pcap(at(segments(both, size)))).messages
    expect(found.map(({ text: all }) => all)).toEqual([text, new TextDecoder().decode(ok)])
    expect(found[1]).toMatchObject({ transport: 'TCP', status: 200, reason: 'OK', method: 'INVITE' })
  })

  it('orders segments, ignores retransmissions, and handles sequence numbers that wrap around', () => {
    const [one, ...rest] = segments(both, 50, 0xffffff80)
    expect(firsts([one!, ...rest.toReversed(), ...rest])).toEqual(two)
    const begun = ip4(tcp(new Uint8Array(), 0xffffff7f, { syn: true }), { protocol: 6 })
    expect(firsts([begun, ...rest, one!])).toEqual(two)
  })

  it('resumes after a gap, and marks the truncated message', () => {
    const gap = segments(joinBytes(invite, ok), 60).toSpliced(1, 1)
    const later = segments(both, 10_000, 50_000)
    const { messages } = read(pcap(at([...gap, ...later])))
    expect(messages.map(({ cut, status }) => [cut, status])).toEqual([
      ...(messages.length === 3 ? [[true, undefined]] : []),
      [false, undefined],
      [false, 200],
    ])
  })

  it('reads WebSocket with masked and fragmented messages', () => {
    const hello = bytes('GET / HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: sip\r\n\r\n')
    const long = sip('MESSAGE sip:b SIP/2.0', { cseq: '2 MESSAGE', body: 'x'.repeat(300) })
    const stream = joinBytes(
      hello,
      frame(invite),
      frame(bytes('are you there'), { kind: 9 }),
      frame(long.subarray(0, 200), { last: false }),
      frame(long.subarray(200), { kind: 0, masked: false }),
    )
    for (const size of [11, 5000]) {
      const { messages } = read(pcap(at(segments(stream, size))))
      expect(messages.map(({ transport, method }) => [transport, method])).toEqual([
        ['WS', 'INVITE'],
        ['WS', 'MESSAGE'],
      ])
      expect(messages[1]!.text).toBe(new TextDecoder().decode(long))
    }
  })

  it('ignores streams of other protocols', () => {
    const http = bytes('POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nCall-ID: 1')
    expect(firsts(segments(joinBytes(http, invite), 30))).toEqual([])
  })
})

describe('RTP', () => {
  const rtp = (sequence: number, ssrc = 99) =>
    joinBytes([0x80, 8], u16(sequence & 0xffff), u32(sequence * 160), u32(ssrc), new Uint8Array(160))
  const sound = (sequences: number[], from = 40_000, to = 50_000) =>
    sequences.map((each) => ip4(udp(rtp(each), from, to)))

  it('summarizes streams with their lost packets, even if sequence numbers wrap around', () => {
    const numbers = Array.from({ length: 100 }, (_, place) => 65_500 + place).filter((each) => each % 10 !== 0)
    expect(read(pcap(at(sound(numbers)))).media).toEqual([
      {
        source: { address: '198.51.100.24', port: 40_000 },
        target: { address: '203.0.113.10', port: 50_000 },
        ssrc: 99,
        type: 8,
        packets: 90,
        lost: 9,
        from: start,
        to: start + 89_000,
      },
    ])
  })

  it('counts packets once if they were captured on several interfaces', () => {
    expect(read(pcap(at(sound([1, 1, 2, 2, 3, 3, 5, 5, 6, 6])))).media).toMatchObject([{ packets: 5, lost: 1 }])
  })

  it('ignores packets that only resemble RTP', () => {
    expect(read(pcap(at(sound([1, 1, 1, 1, 1, 1])))).media).toEqual([])
    expect(read(pcap(at(sound([1, 2, 3, 4, 5, 6], 53)))).media).toEqual([])
    expect(read(pcap(at(sound([1, 2, 3])))).media).toEqual([])
  })
})

it('merges several captures in time order', () => {
  const one = read(pcap([{ time: start + 5, bytes: ip4(udp(invite)) }]))
  const other = read(pcap(at([ip4(udp(sip('BYE sip:b SIP/2.0', { cseq: '2 BYE' })))])))
  expect(mergeCaptures([one, other])).toMatchObject({ packets: 2, messages: [{ method: 'BYE' }, { method: 'INVITE' }] })
})

it('splits a SIP message into start line, headers and body', () => {
  const parts = splitSipMessage(
    'BYE sip:b SIP/2.0\r\ni: 1\r\nSubject: a\r\n  b\r\nNonsense\r\nX-Own:c:d\r\n\r\nbody\r\n\r\nmore',
  )
  expect(parts).toEqual({
    startLine: 'BYE sip:b SIP/2.0',
    headers: [
      { name: 'Call-ID', value: '1' },
      { name: 'Subject', value: 'a b' },
      { name: 'X-Own', value: 'c:d' },
    ],
    body: 'body\r\n\r\nmore',
  })
  expect(findHeaderValue(parts, 'subject')).toBe('a b')
  expect(splitSipMessage('')).toEqual({ startLine: '', headers: [], body: '' })
})

describe('the robustness of the capture reader', () => {
  const ok = sip('SIP/2.0 200 OK', { body: 'x'.repeat(200) })
  const stream = joinBytes(bytes('GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n'), frame(invite), frame(ok))
  const packets = at([
    ip4(udp(invite)),
    ip6(udp(ok)),
    ip4(udp(ok).subarray(0, 80), { hasMore: true }),
    ip4(udp(ok).subarray(80), { offset: 80 }),
    ip4(tcp(invite.subarray(0, 50), 1), { protocol: 6 }),
    ip4(tcp(invite.subarray(50), 51), { protocol: 6 }),
    ip6(tcp(stream, 1, { from: 9 }), { protocol: 6 }),
  ])
  const whole = [pcap(packets), pcapng(packets), pcapng(packets, { big: true, nano: true })]

  it('reads corrupt files without an error', { timeout: 60_000 }, () => {
    const next = dice(3)
    let read = 0
    for (let round = 0; round < 1500; round += 1) {
      const copy = whole[round % whole.length]!.slice()
      for (let times = next(10); times > 0; times -= 1) copy[next(copy.length)] = next(256)
      read += parseCapture(next(3) === 0 ? copy.subarray(0, next(copy.length)) : copy)?.messages.length ?? 0
    }
    expect(read).toBeGreaterThan(1500)
  })

  it('reads a long TCP stream of single bytes without a complete message', { timeout: 60_000 }, () => {
    const endless = joinBytes(bytes('INVITE sip:b SIP/2.0\r\nX: '), new Uint8Array(5000).fill(120))
    const pieces = Array.from({ length: endless.length }, (_, place) =>
      ip4(tcp(endless.subarray(place, place + 1), place), { protocol: 6 }),
    )
    expect(parseCapture(pcap(at(pieces)))).toMatchObject({ packets: endless.length })
  })
})

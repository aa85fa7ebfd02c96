import { describe, expect, it } from 'vitest'
import { parseCapture, mergeCaptures } from './capture'
import { findHeaderValue, splitSipMessage } from '@trunkline/contract/calls/sip-message'
import {
  bytes,
  createSeededRandom,
  buildWebSocketFrame,
  ip4,
  ip6,
  joinBytes,
  linkTypes,
  pcap,
  pcapng,
  sip,
  tcp,
  u16,
  u32,
  udp,
} from '../../../../../../test/build-packets'

const startUs = 1_700_000_000_123_456
const invite = sip('INVITE sip:b SIP/2.0', { body: 'v=0' })
const inviteText = new TextDecoder().decode(invite)
const toPackets = (packets: Uint8Array[]) =>
  packets.map((packet, index) => ({ time: startUs + index * 1000, bytes: packet }))
const readCapture = (file: Uint8Array) => parseCapture(file)!
const readStartLines = (packets: Uint8Array[]) =>
  readCapture(pcap(toPackets(packets))).messages.map(({ text }) => text.split('\r\n')[0])

describe('reading a capture file', () => {
  const formats = [pcap, pcapng].flatMap((write) =>
    [false, true].flatMap((isBigEndian) =>
      [false, true].map((hasNanoseconds) => [write.name, isBigEndian, hasNanoseconds, write] as const),
    ),
  )
  it.each(formats)('reads %s, big endian %s, nanoseconds %s', (_, isBigEndian, hasNanoseconds, write) => {
    const { messages, packetCount, isDamaged } = readCapture(
      write(toPackets([ip4(udp(invite)), ip4(udp(invite))]), { isBigEndian, hasNanoseconds }),
    )
    expect({ packetCount, isDamaged }).toEqual({ packetCount: 2, isDamaged: false })
    expect(messages).toEqual([
      {
        time: startUs,
        source: { address: '198.51.100.24', port: 5060 },
        target: { address: '203.0.113.10', port: 5060 },
        transport: 'UDP',
        text: inviteText,
        isTruncated: false,
        callId: 'one@host',
        method: 'INVITE',
      },
      expect.objectContaining({ time: startUs + 1000 }),
    ])
  })

  it.each(Object.entries(linkTypes))('reads %s with IPv4 and IPv6', (_, { linkType, wrap }) => {
    const file = pcap(toPackets([wrap(ip4(udp(invite))), wrap(ip6(udp(invite)))]), { linkType })
    expect(readCapture(file).messages.map(({ source, target }) => `${source.address} > ${target.address}`)).toEqual([
      '198.51.100.24 > 203.0.113.10',
      '2001:db8::1 > 2001:db8:0:1::2',
    ])
  })

  it('reads a truncated file up to the end, and returns undefined for other files', () => {
    const file = pcap(toPackets([ip4(udp(invite)), ip4(udp(invite))]))
    expect(readCapture(file.subarray(0, -1))).toMatchObject({
      packetCount: 1,
      isDamaged: true,
      messages: [{ callId: 'one@host' }],
    })
    expect(readCapture(pcapng(toPackets([ip4(udp(invite))])).subarray(0, -4))).toMatchObject({
      packetCount: 0,
      isDamaged: true,
    })
    expect(parseCapture(bytes('A text file that is not a capture'))).toBeUndefined()
    expect(parseCapture(new Uint8Array())).toBeUndefined()
  })

  it('marks a message that was captured only in part', () => {
    const packet = ip4(udp(invite))
    expect(readCapture(pcap(toPackets([packet.subarray(0, -5)]))).messages).toMatchObject([
      { isTruncated: true, callId: 'one@host' },
    ])
  })
})

describe('IP fragments', () => {
  const longMessage = sip('INVITE sip:b SIP/2.0', { body: 'x'.repeat(4000) })
  const datagram = udp(longMessage)
  const fragments = [0, 1480, 2960].map((offset) => ({
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
      const packets = order.map((index) => fragments[index]!).map(({ content, ...options }) => ip(content, options))
      const { messages } = readCapture(pcap(toPackets(packets)))
      expect(messages.map((message) => message.text.length)).toEqual([longMessage.length])
    }
  })

  it('ignores an incomplete datagram', () => {
    expect(readStartLines(fragments.slice(0, 2).map(({ content, ...options }) => ip4(content, options)))).toEqual([])
  })
})

describe('TCP streams', () => {
  const okResponse = sip('SIP/2.0 200 OK', { cseq: '1 INVITE', body: 'v=0\r\n' })
  const twoMessages = joinBytes(invite, bytes('\r\n\r\n'), okResponse)
  const createSegments = (stream: Uint8Array, size: number, firstSequence = 1000) =>
    Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
      ip4(tcp(stream.subarray(index * size, (index + 1) * size), (firstSequence + index * size) >>> 0), {
        protocol: 6,
      }),
    )
  const twoStartLines = ['INVITE sip:b SIP/2.0', 'SIP/2.0 200 OK']

  it.each([1, 7, 100, 10_000])('reads segments of %i bytes', (size) => {
    const messages = readCapture(pcap(toPackets(createSegments(twoMessages, size)))).messages
    expect(messages.map(({ text }) => text)).toEqual([inviteText, new TextDecoder().decode(okResponse)])
    expect(messages[1]).toMatchObject({ transport: 'TCP', status: 200, reason: 'OK', method: 'INVITE' })
  })

  it('orders segments, ignores retransmissions, and handles sequence numbers that wrap around', () => {
    const [firstSegment, ...otherSegments] = createSegments(twoMessages, 50, 0xffffff80)
    expect(readStartLines([firstSegment!, ...otherSegments.toReversed(), ...otherSegments])).toEqual(twoStartLines)
    const synPacket = ip4(tcp(new Uint8Array(), 0xffffff7f, { syn: true }), { protocol: 6 })
    expect(readStartLines([synPacket, ...otherSegments, firstSegment!])).toEqual(twoStartLines)
  })

  it('resumes after a gap, and marks the truncated message', () => {
    const withGap = createSegments(joinBytes(invite, okResponse), 60).toSpliced(1, 1)
    const laterStream = createSegments(twoMessages, 10_000, 50_000)
    const { messages } = readCapture(pcap(toPackets([...withGap, ...laterStream])))
    expect(messages.map(({ isTruncated, status }) => [isTruncated, status])).toEqual([
      [true, undefined],
      [false, undefined],
      [false, 200],
    ])
  })

  it('reads WebSocket with masked and fragmented messages', () => {
    const upgradeRequest = bytes('GET / HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: sip\r\n\r\n')
    const longMessage = sip('MESSAGE sip:b SIP/2.0', { cseq: '2 MESSAGE', body: 'x'.repeat(300) })
    const stream = joinBytes(
      upgradeRequest,
      buildWebSocketFrame(invite),
      buildWebSocketFrame(bytes('are you there'), { opcode: 9 }),
      buildWebSocketFrame(longMessage.subarray(0, 200), { isFinal: false }),
      buildWebSocketFrame(longMessage.subarray(200), { opcode: 0, isMasked: false }),
    )
    for (const size of [11, 5000]) {
      const { messages } = readCapture(pcap(toPackets(createSegments(stream, size))))
      expect(messages.map(({ transport, method }) => [transport, method])).toEqual([
        ['WS', 'INVITE'],
        ['WS', 'MESSAGE'],
      ])
      expect(messages[1]!.text).toBe(new TextDecoder().decode(longMessage))
    }
  })

  it('reports that further streams are not reassembled', () => {
    const createStream = (content: Uint8Array, port: number, size: number) =>
      Array.from({ length: Math.ceil(content.length / size) }, (_, index) =>
        ip4(tcp(content.subarray(index * size, (index + 1) * size), 1000 + index * size, { to: port }), {
          protocol: 6,
        }),
      )
    const readStreams = (streamCount: number) => {
      const otherStreams = Array.from({ length: streamCount - 1 }, (_, index) => createStream(bytes('x'), 1 + index, 9))
      const lastStream = createStream(invite, 1 + streamCount, 60)
      return readCapture(pcap(toPackets([...otherStreams, lastStream].flat())))
    }
    const complete = readStreams(10_000)
    expect([complete.messages.length, complete.hasIncompleteTcpStreams]).toEqual([1, false])
    const incomplete = readStreams(10_001)
    expect([incomplete.messages.length, incomplete.hasIncompleteTcpStreams]).toEqual([0, true])
    expect(mergeCaptures([complete, incomplete]).hasIncompleteTcpStreams).toBe(true)
  })

  it('ignores streams of other protocols', () => {
    const http = bytes('POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nCall-ID: 1')
    expect(readStartLines(createSegments(joinBytes(http, invite), 30))).toEqual([])
  })
})

describe('RTP', () => {
  const createRtp = (sequence: number, ssrc = 99) =>
    joinBytes([0x80, 8], u16(sequence & 0xffff), u32(sequence * 160), u32(ssrc), new Uint8Array(160))
  const createRtpPackets = (sequences: number[], from = 40_000, to = 50_000) =>
    sequences.map((sequence) => ip4(udp(createRtp(sequence), from, to)))

  it('summarizes streams with their lost packets, even if sequence numbers wrap around', () => {
    const sequences = Array.from({ length: 100 }, (_, index) => 65_500 + index).filter(
      (sequence) => sequence % 10 !== 0,
    )
    expect(readCapture(pcap(toPackets(createRtpPackets(sequences)))).media).toEqual([
      {
        source: { address: '198.51.100.24', port: 40_000 },
        target: { address: '203.0.113.10', port: 50_000 },
        ssrc: 99,
        payloadType: 8,
        packetCount: 90,
        lostCount: 9,
        startedAtUs: startUs,
        endedAtUs: startUs + 89_000,
      },
    ])
  })

  it('counts packets once if they were captured on several interfaces', () => {
    expect(readCapture(pcap(toPackets(createRtpPackets([1, 1, 2, 2, 3, 3, 5, 5, 6, 6])))).media).toMatchObject([
      { packetCount: 5, lostCount: 1 },
    ])
  })

  it('ignores packets that only resemble RTP', () => {
    expect(readCapture(pcap(toPackets(createRtpPackets([1, 1, 1, 1, 1, 1])))).media).toEqual([])
    expect(readCapture(pcap(toPackets(createRtpPackets([1, 2, 3, 4, 5, 6], 53)))).media).toEqual([])
    expect(readCapture(pcap(toPackets(createRtpPackets([1, 2, 3])))).media).toEqual([])
  })
})

it('merges several captures in time order', () => {
  const laterCapture = readCapture(pcap([{ time: startUs + 5, bytes: ip4(udp(invite)) }]))
  const earlierCapture = readCapture(pcap(toPackets([ip4(udp(sip('BYE sip:b SIP/2.0', { cseq: '2 BYE' })))])))
  expect(mergeCaptures([laterCapture, earlierCapture])).toMatchObject({
    packetCount: 2,
    messages: [{ method: 'BYE' }, { method: 'INVITE' }],
  })
})

it('keeps a SIP header that is named like a property of every object', () => {
  const parts = splitSipMessage('OPTIONS sip:1 SIP/2.0\r\nConstructor: x\r\nTo: sip:b')
  expect(parts.headers[0]).toEqual({ name: 'Constructor', value: 'x' })
  expect(findHeaderValue(parts, 'to')).toBe('sip:b')
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
  const okResponse = sip('SIP/2.0 200 OK', { body: 'x'.repeat(200) })
  const stream = joinBytes(
    bytes('GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n'),
    buildWebSocketFrame(invite),
    buildWebSocketFrame(okResponse),
  )
  const packets = toPackets([
    ip4(udp(invite)),
    ip6(udp(okResponse)),
    ip4(udp(okResponse).subarray(0, 80), { hasMore: true }),
    ip4(udp(okResponse).subarray(80), { offset: 80 }),
    ip4(tcp(invite.subarray(0, 50), 1), { protocol: 6 }),
    ip4(tcp(invite.subarray(50), 51), { protocol: 6 }),
    ip6(tcp(stream, 1, { from: 9 }), { protocol: 6 }),
  ])
  const files = [pcap(packets), pcapng(packets), pcapng(packets, { isBigEndian: true, hasNanoseconds: true })]

  it('reads corrupt files without an error', { timeout: 60_000 }, () => {
    const randomBelow = createSeededRandom(3)
    let messageCount = 0
    for (let round = 0; round < 1500; round += 1) {
      const corruptFile = files[round % files.length]!.slice()
      for (let changes = randomBelow(10); changes > 0; changes -= 1)
        corruptFile[randomBelow(corruptFile.length)] = randomBelow(256)
      messageCount +=
        parseCapture(randomBelow(3) === 0 ? corruptFile.subarray(0, randomBelow(corruptFile.length)) : corruptFile)
          ?.messages.length ?? 0
    }
    expect(messageCount).toBeGreaterThan(1500)
  })

  it('reads a long TCP stream of single bytes without a complete message', { timeout: 60_000 }, () => {
    const incompleteMessage = joinBytes(bytes('INVITE sip:b SIP/2.0\r\nX: '), new Uint8Array(5000).fill(120))
    const segments = Array.from({ length: incompleteMessage.length }, (_, index) =>
      ip4(tcp(incompleteMessage.subarray(index, index + 1), index), { protocol: 6 }),
    )
    expect(parseCapture(pcap(toPackets(segments)))).toMatchObject({ packetCount: incompleteMessage.length })
  })
})

import { describe, expect, it } from 'vitest'
import { parseCapture } from './capture/capture'
import { createLadder, maxParticipants, type LadderRow } from './ladder'
import { parseSdp } from './codecs'
import { bytes, ip4, joinBytes, pcap, u16, u32, udp } from '../../../../../test/build-packets'

const [carrier, sbc, server] = ['198.51.100.24', '203.0.113.10', '10.20.4.21']
const sdp = 'v=0\r\nc=IN IP4 198.51.100.24\r\nm=audio 40000 RTP/AVP 96 0\r\na=rtpmap:96 opus/48000/2\r\na=sendonly\r\n'
const createMessage = (startLine: string, headers: string[] = [], body = '', callId = 'one@host') =>
  bytes(
    [
      startLine,
      'From: "A" <sip:+1617@198.51.100.24;user=phone>;tag=1',
      't: <tel:+1857>',
      `Call-ID: ${callId}`,
      'CSeq: 1 INVITE',
      ...headers,
      ...(body ? ['Content-Type: application/sdp'] : []),
      '',
      body,
    ].join('\r\n'),
  )
const invite = createMessage('INVITE sip:b SIP/2.0', [], sdp)
const createPacket = (time: number, from: string, to: string, content: Uint8Array, ports = [5060, 5060]) => ({
  time: 1_700_000_000_000_000 + time,
  bytes: ip4(udp(content, ports[0], ports[1]), { from, to }),
})
const createRtpPackets = (time: number, from: string, to: string, type: number, ports: [number, number]) =>
  Array.from({ length: 50 }, (_, index) =>
    createPacket(
      time + index * 20_000,
      from,
      to,
      joinBytes([0x80, type], u16(index), u32(0), u32(type), new Uint8Array(9)),
      ports,
    ),
  )

const capture = parseCapture(
  pcap([
    createPacket(0, carrier, sbc, invite),
    createPacket(500_000, carrier, sbc, invite),
    createPacket(1_500_000, carrier, sbc, invite),
    createPacket(
      1_600_000,
      sbc,
      server,
      createMessage('INVITE sip:c SIP/2.0', ['Proxy-Authorization: Digest x'], '', 'two@host'),
      [5060, 5070],
    ),
    createPacket(
      1_700_000,
      server,
      sbc,
      createMessage('SIP/2.0 407 Proxy Authentication Required', [], '', 'two@host'),
      [5070, 5060],
    ),
    createPacket(1_800_000, sbc, carrier, createMessage('SIP/2.0 183 Session Progress')),
    createPacket(1_900_000, sbc, carrier, createMessage('SIP/2.0 200 OK', [], sdp.replace('96 0', '0'))),
    ...createRtpPackets(2_000_000, sbc, carrier, 96, [50_000, 40_000]),
    ...createRtpPackets(2_100_000, carrier, sbc, 96, [40_000, 50_000]),
    createPacket(4_000_000, carrier, sbc, createMessage('BYE sip:b SIP/2.0')),
    createPacket(90_000_000, carrier, sbc, createMessage('BYE sip:b SIP/2.0')),
  ]),
)!

const describeRows = (rows: LadderRow[]) =>
  rows.map((row) =>
    row.kind === 'media'
      ? `${row.fromColumn}-${row.toColumn} ${row.codec} x${row.streams.length}`
      : `${row.fromColumn}>${row.toColumn} ${row.title} ${row.tone}`,
  )

describe('createLadder', () => {
  it('makes a column for each host, and one row for a message and its retransmissions', () => {
    const { participants, rows, legs, retransmissionCount } = createLadder(capture)
    expect(participants).toEqual([
      { address: carrier, ports: [5060] },
      { address: sbc, ports: [5060] },
      { address: server, ports: [5070] },
    ])
    expect(describeRows(rows)).toEqual([
      '0>1 INVITE request',
      '1>2 INVITE request',
      '2>1 407 Proxy Authentication Required failure',
      '1>0 183 Session Progress progress',
      '1>0 200 OK success',
      '0-1 opus x2',
      '0>1 BYE request',
      // half a minute later, so no retransmission
      '0>1 BYE request',
    ])
    expect(rows[0]).toMatchObject({
      offsetUs: 0,
      sincePreviousUs: 0,
      hasSession: true,
      retransmissionCount: 2,
      isRetransmission: false,
      hasCredentials: false,
    })
    expect(rows[1]).toMatchObject({
      offsetUs: 1_600_000,
      sincePreviousUs: 1_600_000,
      hasSession: false,
      hasCredentials: true,
      retransmissionCount: 0,
    })
    expect(rows[2]).toMatchObject({ sincePreviousUs: 100_000, isChallenge: true })
    expect(rows[5]).toMatchObject({ offsetUs: 2_000_000, lengthUs: 1_080_000 })
    expect(legs).toEqual([
      { callId: 'one@host', messageCount: 7, fromUser: '+1617', toUser: '+1857' },
      { callId: 'two@host', messageCount: 2, fromUser: '+1617', toUser: '+1857' },
    ])
    expect(retransmissionCount).toBe(2)
  })

  it('shows retransmissions on request', () => {
    const { rows } = createLadder(capture, { showsRetransmissions: true })
    expect(rows.slice(0, 3)).toMatchObject([
      { isRetransmission: false, retransmissionCount: 0 },
      { isRetransmission: true, offsetUs: 500_000, sincePreviousUs: 500_000 },
      { isRetransmission: true, offsetUs: 1_500_000, sincePreviousUs: 1_000_000 },
    ])
  })

  it('does not count a message captured at two points as a retransmission', () => {
    const duplicatedCapture = parseCapture(
      pcap([
        createPacket(0, carrier, sbc, invite),
        createPacket(30, carrier, sbc, invite),
        createPacket(500_000, carrier, sbc, invite),
        createPacket(500_030, carrier, sbc, invite),
      ]),
    )!
    const { rows, legs, retransmissionCount } = createLadder(duplicatedCapture)
    expect(rows).toMatchObject([{ offsetUs: 0, retransmissionCount: 1 }])
    expect(legs).toMatchObject([{ messageCount: 2 }])
    expect(retransmissionCount).toBe(1)
  })

  it('shows one leg, with times relative to the whole call', () => {
    const { participants, rows, legs } = createLadder(capture, { callId: 'two@host' })
    expect(participants.map(({ address }) => address)).toEqual([sbc, server])
    expect(describeRows(rows)).toEqual(['0>1 INVITE request', '1>0 407 Proxy Authentication Required failure'])
    expect(rows[0]).toMatchObject({ offsetUs: 1_600_000, sincePreviousUs: 0 })
    expect(legs).toHaveLength(2)
  })

  it('assigns RTP to the leg that negotiated it, even via a relay, and not to another leg between the same hosts', () => {
    const relay = '203.0.113.99'
    const createSdp = (address: string, port: number) => `v=0\r\nc=IN IP4 ${address}\r\nm=audio ${port} RTP/AVP 0\r\n`
    const relayedCapture = parseCapture(
      pcap([
        createPacket(0, carrier, sbc, createMessage('INVITE sip:b SIP/2.0', [], createSdp(carrier, 40_000))),
        createPacket(1, sbc, carrier, createMessage('SIP/2.0 200 OK', [], createSdp(relay, 30_000))),
        createPacket(2, sbc, carrier, createMessage('INVITE sip:c SIP/2.0', [], createSdp(sbc, 50_000), 'two@host')),
        ...createRtpPackets(1000, carrier, relay, 0, [40_000, 30_000]),
        ...createRtpPackets(2000, relay, carrier, 0, [30_000, 40_000]),
        ...createRtpPackets(3000, carrier, sbc, 8, [42_000, 50_000]),
        // no SDP mentions these
        ...createRtpPackets(4000, carrier, sbc, 9, [44_000, 54_000]),
        ...createRtpPackets(5000, carrier, relay, 18, [46_000, 34_000]),
      ]),
    )!
    const describeMedia = (callId?: string) =>
      describeRows(createLadder(relayedCapture, callId ? { callId } : {}).rows.filter(({ kind }) => kind === 'media'))
    expect(describeMedia()).toEqual(['0-1 PCMU x2', '0-1 PCMA x1', '0-1 G722 x1', '0-1 G729 x1'])
    expect(describeMedia('one@host')).toEqual(['0-1 PCMU x2', '0-1 G722 x1'])
    expect(describeMedia('two@host')).toEqual(['0-1 PCMA x1', '0-1 G722 x1'])
  })

  it('makes a column for each port if an address sends to itself', () => {
    const local = '127.0.0.1'
    const { participants, rows } = createLadder(
      parseCapture(
        pcap([
          createPacket(0, local, local, invite, [5060, 5070]),
          createPacket(1, local, local, createMessage('SIP/2.0 100 Trying'), [5070, 5060]),
        ]),
      )!,
    )
    expect(participants).toEqual([
      { address: local, ports: [5060] },
      { address: local, ports: [5070] },
    ])
    expect(describeRows(rows)).toEqual(['0>1 INVITE request', '1>0 100 Trying progress'])
  })

  it('shows the first participants only, and counts the messages of the others', () => {
    const ladder = createLadder(
      parseCapture(
        pcap(
          Array.from({ length: 300 }, (_, index) =>
            createPacket(index, sbc, `10.0.${index >>> 8}.${index & 255}`, invite),
          ),
        ),
      )!,
    )
    expect(ladder.participants).toHaveLength(maxParticipants)
    expect(ladder.participants[1]?.address).toBe('10.0.0.0')
    expect(ladder.rows).toHaveLength(maxParticipants - 1)
    expect(ladder).toMatchObject({ participantCount: 301, hiddenMessageCount: 300 - (maxParticipants - 1) })
  })

  it('does not compare each stream with all others', () => {
    let readCount = 0
    const createStream = (index: number) => {
      const sockets = [
        { address: '10.0.0.1', port: 20_000 + 2 * (index % 500) },
        { address: '10.0.0.2', port: 20_000 },
      ] as const
      const [source, target] = index < 500 ? sockets : sockets.toReversed()
      return {
        get source() {
          readCount += 1
          return source
        },
        target: target,
        ssrc: index,
        payloadType: 0,
        packetCount: 50,
        lostCount: 0,
        startedAtUs: index,
        endedAtUs: 1_000_000,
      }
    }
    const media = Array.from({ length: 1000 }, (_, index) => createStream(index))
    const { rows } = createLadder({ messages: [], media })
    expect(rows).toHaveLength(500)
    expect(rows.every((row) => row.kind === 'media' && row.streams.length === 2)).toBe(true)
    expect(readCount).toBeLessThan(10 * media.length)
  })

  it('returns an empty ladder for an empty capture', () => {
    expect(createLadder({ messages: [], media: [] })).toEqual({
      participants: [],
      rows: [],
      legs: [],
      retransmissionCount: 0,
      participantCount: 0,
      hiddenMessageCount: 0,
    })
  })
})

it('parseSdp returns the media address, codecs and direction of an SDP', () => {
  const body = `${sdp}m=video 0 RTP/AVP 31\r\nc=IN IP6 2001:db8::1\r\n`
  expect(parseSdp(`v=0\r\na=inactive\r\n${body}`)).toEqual([
    {
      kind: 'audio',
      address: carrier,
      port: 40_000,
      codecs: [
        { type: 96, name: 'opus' },
        { type: 0, name: 'PCMU' },
      ],
      direction: 'sendonly',
    },
    { kind: 'video', address: '2001:db8::1', port: 0, codecs: [{ type: 31, name: '31' }], direction: 'inactive' },
  ])
})

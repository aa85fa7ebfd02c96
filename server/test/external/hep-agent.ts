import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A captured message. Addresses are IPv4 or uncompressed IPv6. */
export interface Seen {
  source: readonly [address: string, port: number]
  target: readonly [address: string, port: number]
  /** Microseconds since 1970. */
  time: number
  payload: string | Buffer
  /** HEP's payload type; default SIP. */
  kind?: number
  key?: string
}

const bytesOf = (address: string): Buffer =>
  address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map((word) => word.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number))

const number = (value: number, size: number) => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}

/** A chunk of a packet. */
export const chunk = (type: number, content: Buffer, vendor = 0): Buffer =>
  Buffer.concat([number(vendor, 2), number(type, 2), number(content.length + 6, 2), content])

/** A HEP packet, version 3, of these chunks. */
export const packet = (...chunks: Buffer[]): Buffer => {
  const body = Buffer.concat(chunks)
  return Buffer.concat([Buffer.from('HEP3'), number(body.length + 6, 2), body])
}

/** The packet that Kamailio, OpenSIPS, FreeSWITCH and drachtio send for a message. */
export const hepOf = ({ source, target, time, payload, kind = 1, key }: Seen): Buffer => {
  const six = source[0].includes(':')
  return packet(
    chunk(1, number(six ? 10 : 2, 1)),
    chunk(2, number(17, 1)),
    chunk(six ? 5 : 3, bytesOf(source[0])),
    chunk(six ? 6 : 4, bytesOf(target[0])),
    chunk(7, number(source[1], 2)),
    chunk(8, number(target[1], 2)),
    chunk(9, number(Math.floor(time / 1e6), 4)),
    chunk(10, number(time % 1e6, 4)),
    chunk(11, number(kind, 1)),
    chunk(12, number(2001, 4)),
    ...(key === undefined ? [] : [chunk(14, Buffer.from(key))]),
    chunk(15, Buffer.from(payload)),
  )
}

/** A capture agent that sends over UDP. */
export const overUdp = async (port: number, packets: readonly Buffer[]): Promise<void> => {
  const socket = createSocket('udp4')
  for (const item of packets)
    await new Promise<void>((sent, failed) =>
      socket.send(item, port, '127.0.0.1', (error) => (error ? failed(error) : sent())),
    )
  socket.close()
}

/** The same over TCP; the connection stays. */
export const overTcp = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

export interface Talk {
  callId: string
  /** Microseconds since 1970. */
  start: number
  caller?: Seen['source']
  callee?: Seen['source']
  from?: string
  to?: string
  key?: string
}

/** The SDP of one end of a call: codecs and media address. */
export const sdp = (address: string, port: number) =>
  [
    'v=0',
    `o=- 1795269447 1 IN ${address.includes(':') ? 'IP6' : 'IP4'} ${address}`,
    's=-',
    `c=IN ${address.includes(':') ? 'IP6' : 'IP4'} ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 0 8 101`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=sendrecv',
    '',
  ].join('\r\n')

/** An answered call that the callee ends: eight messages, one of them retransmitted. */
export const talk = ({
  callId,
  start,
  caller = ['198.51.100.24', 5060],
  callee = ['203.0.113.10', 5060],
  from = '+16175550192',
  to = '+18575550100',
  key,
}: Talk): Seen[] => {
  const message = (first: string, cseq: string, body = '', tag = ';tag=b2') =>
    [
      first,
      `Via: SIP/2.0/UDP ${caller[0]}:${caller[1]};branch=z9hG4bK${cseq.replace(' ', '')}`,
      'Max-Forwards: 70',
      `From: <sip:${from}@${caller[0]}>;tag=a1`,
      `To: <sip:${to}@${callee[0]}>${tag}`,
      `Call-ID: ${callId}`,
      `CSeq: ${cseq}`,
      `Contact: <sip:${caller[0]}:${caller[1]}>`,
      ...(body ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n')
  const there = (after: number, payload: string): Seen => ({
    source: caller,
    target: callee,
    time: start + after,
    payload,
    ...(key === undefined ? {} : { key }),
  })
  const back = (after: number, payload: string): Seen => ({ ...there(after, payload), source: callee, target: caller })
  const invite = message(`INVITE sip:${to}@${callee[0]} SIP/2.0`, '1 INVITE', sdp(caller[0], 40_218), '')
  return [
    there(0, invite),
    there(500_123, invite),
    back(502_000, message('SIP/2.0 100 Trying', '1 INVITE', '', '')),
    back(900_000, message('SIP/2.0 180 Ringing', '1 INVITE')),
    back(2_400_000, message('SIP/2.0 200 OK', '1 INVITE', sdp(callee[0], 50_002))),
    there(2_430_000, message(`ACK sip:${to}@${callee[0]} SIP/2.0`, '1 ACK')),
    back(9_400_000, message(`BYE sip:${from}@${caller[0]} SIP/2.0`, '2 BYE')),
    there(9_410_456, message('SIP/2.0 200 OK', '2 BYE')),
  ]
}

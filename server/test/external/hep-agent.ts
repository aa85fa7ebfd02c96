import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A captured message. Addresses are IPv4 or uncompressed IPv6. */
export interface AgentMessage {
  source: readonly [address: string, port: number]
  target: readonly [address: string, port: number]
  /** Microseconds since 1970. */
  timeUs: number
  payload: string | Buffer
  /** HEP's payload type; default SIP. */
  payloadType?: number
  key?: string
}

const bytesOf = (address: string): Buffer =>
  address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number))

const encodeUint = (value: number, size: number) => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}

/** A chunk of a packet. */
export const createHepChunk = (type: number, content: Buffer, vendor = 0): Buffer =>
  Buffer.concat([encodeUint(vendor, 2), encodeUint(type, 2), encodeUint(content.length + 6, 2), content])

/** A HEP packet, version 3, of these chunks. */
export const createHepPacket = (...chunks: Buffer[]): Buffer => {
  const body = Buffer.concat(chunks)
  return Buffer.concat([Buffer.from('HEP3'), encodeUint(body.length + 6, 2), body])
}

/** The packet that Kamailio, OpenSIPS, FreeSWITCH and drachtio send for a message. */
export const hepPacketOf = ({ source, target, timeUs, payload, payloadType = 1, key }: AgentMessage): Buffer => {
  const isIPv6 = source[0].includes(':')
  // Chunk types of HEP: 1 IP version, 2 protocol, 3 to 6 addresses, 7 and 8 ports, 9 and 10 time, 11 payload type, 12 agent ID,
  // 14 key, 15 payload.
  return createHepPacket(
    createHepChunk(1, encodeUint(isIPv6 ? 10 : 2, 1)),
    createHepChunk(2, encodeUint(17, 1)),
    createHepChunk(isIPv6 ? 5 : 3, bytesOf(source[0])),
    createHepChunk(isIPv6 ? 6 : 4, bytesOf(target[0])),
    createHepChunk(7, encodeUint(source[1], 2)),
    createHepChunk(8, encodeUint(target[1], 2)),
    createHepChunk(9, encodeUint(Math.floor(timeUs / 1e6), 4)),
    createHepChunk(10, encodeUint(timeUs % 1e6, 4)),
    createHepChunk(11, encodeUint(payloadType, 1)),
    createHepChunk(12, encodeUint(2001, 4)),
    ...(key === undefined ? [] : [createHepChunk(14, Buffer.from(key))]),
    createHepChunk(15, Buffer.from(payload)),
  )
}

/** Sends packets over UDP, as a capture agent does. */
export const sendOverUdp = async (port: number, packets: readonly Buffer[]): Promise<void> => {
  const socket = createSocket('udp4')
  for (const packet of packets)
    await new Promise<void>((resolve, reject) =>
      socket.send(packet, port, '127.0.0.1', (error) => (error ? reject(error) : resolve())),
    )
  socket.close()
}

/** Opens a TCP connection, as a capture agent does. */
export const connectOverTcp = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

export interface CallOptions {
  callId: string
  /** Microseconds since 1970. */
  startUs: number
  caller?: AgentMessage['source']
  callee?: AgentMessage['source']
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
export const buildDialog = ({
  callId,
  startUs,
  caller = ['198.51.100.24', 5060],
  callee = ['203.0.113.10', 5060],
  from = '+16175550192',
  to = '+18575550100',
  key,
}: CallOptions): AgentMessage[] => {
  const message = (firstLine: string, cseq: string, body = '', toTag = ';tag=b2') =>
    [
      firstLine,
      `Via: SIP/2.0/UDP ${caller[0]}:${caller[1]};branch=z9hG4bK${cseq.replace(' ', '')}`,
      'Max-Forwards: 70',
      `From: <sip:${from}@${caller[0]}>;tag=a1`,
      `To: <sip:${to}@${callee[0]}>${toTag}`,
      `Call-ID: ${callId}`,
      `CSeq: ${cseq}`,
      `Contact: <sip:${caller[0]}:${caller[1]}>`,
      ...(body ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n')
  const fromCaller = (delayMicros: number, payload: string): AgentMessage => ({
    source: caller,
    target: callee,
    timeUs: startUs + delayMicros,
    payload,
    ...(key === undefined ? {} : { key }),
  })
  const fromCallee = (delayMicros: number, payload: string): AgentMessage => ({
    ...fromCaller(delayMicros, payload),
    source: callee,
    target: caller,
  })
  const invite = message(`INVITE sip:${to}@${callee[0]} SIP/2.0`, '1 INVITE', sdp(caller[0], 40_218), '')
  return [
    fromCaller(0, invite),
    fromCaller(500_123, invite),
    fromCallee(502_000, message('SIP/2.0 100 Trying', '1 INVITE', '', '')),
    fromCallee(900_000, message('SIP/2.0 180 Ringing', '1 INVITE')),
    fromCallee(2_400_000, message('SIP/2.0 200 OK', '1 INVITE', sdp(callee[0], 50_002))),
    fromCaller(2_430_000, message(`ACK sip:${to}@${callee[0]} SIP/2.0`, '1 ACK')),
    fromCallee(9_400_000, message(`BYE sip:${from}@${caller[0]} SIP/2.0`, '2 BYE')),
    fromCaller(9_410_456, message('SIP/2.0 200 OK', '2 BYE')),
  ]
}

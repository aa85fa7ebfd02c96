import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hepOf, sdp, type Seen } from '../server/test/external/hep-agent'
import type { Call } from './calls'
import type { Chance } from './seeded-random'

const ours = '203.0.113.100'

const words: Record<number, string> = {
  404: 'Not Found',
  480: 'Temporarily Unavailable',
  486: 'Busy Here',
  487: 'Request Terminated',
  503: 'Service Unavailable',
  603: 'Decline',
}

/** The SIP messages of a call between its carrier and the platform, as captured on the wire. */
export const messagesOf = (chance: Chance, call: Call): Seen[] => {
  const carrier = [call.gateway, 5060] as const
  const us = [ours, 5060] as const
  const [caller, callee] = call.direction === 'inbound' ? [carrier, us] : [us, carrier]
  const [fromTag, toTag] = [chance.hex(8), chance.hex(8)]
  const media = { [caller[0]]: chance.whole(10_000, 16_000) * 2, [callee[0]]: chance.whole(20_000, 30_000) * 2 }
  const seen: Seen[] = []
  const start = call.at * 1000

  const send = (
    [source, target]: readonly [typeof caller, typeof callee],
    /** Seconds after the first message. */
    after: number,
    first: string,
    cseq: string,
    { offer = false, tagged = true } = {},
  ) => {
    const body = offer ? sdp(source[0], media[source[0]] ?? 0) : ''
    // a response belongs to the transaction of its request; in a request of the callee, From and To swap
    const asking = first.startsWith('SIP') ? target : source
    const callers = { uri: `sip:+${call.from}@${caller[0]}`, tag: fromTag }
    const callees = { uri: `sip:+${call.to}@${callee[0]}`, tag: toTag }
    const [from, to] = asking === caller ? [callers, callees] : [callees, callers]
    const head = [
      first,
      `Via: SIP/2.0/UDP ${asking[0]}:${asking[1]};branch=z9hG4bK${cseq.replace(' ', '')}${fromTag}`,
      ...(first.startsWith('SIP') ? [] : ['Max-Forwards: 70']),
      `From: <${from.uri}>;tag=${from.tag}`,
      `To: <${to.uri}>${tagged ? `;tag=${to.tag}` : ''}`,
      `Call-ID: ${call.sip_callid}`,
      `CSeq: ${cseq}`,
      `Contact: <sip:${source[0]}:${source[1]}>`,
      ...(body ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${body.length}`,
    ]
    seen.push({
      source,
      target,
      time: start + Math.round(after * 1e6),
      payload: [...head, '', body].join('\r\n'),
    })
  }

  const there = [caller, callee] as const
  const back = [callee, caller] as const
  const uri = `sip:+${call.to}@${callee[0]}`
  send(there, 0, `INVITE ${uri} SIP/2.0`, '1 INVITE', { offer: true, tagged: false })
  // now and then a packet is lost, and is sent again after half a second
  if (call.ring > 0.8 && chance.percent(15))
    send(there, 0.5, `INVITE ${uri} SIP/2.0`, '1 INVITE', { offer: true, tagged: false })
  const trying = call.ring > 0.8 && seen.length > 1 ? 0.504 : 0.004
  send(back, trying, 'SIP/2.0 100 Trying', '1 INVITE', { tagged: false })
  if (call.status === 200 || call.status === 487) send(back, trying + 0.15, 'SIP/2.0 180 Ringing', '1 INVITE')
  if (call.status === 487) {
    send(there, call.ring, `CANCEL ${uri} SIP/2.0`, '1 CANCEL', { tagged: false })
    send(back, call.ring + 0.004, 'SIP/2.0 200 OK', '1 CANCEL')
  }
  if (call.status !== 200) {
    send(back, call.ring + 0.006, `SIP/2.0 ${call.status} ${words[call.status] ?? 'Failed'}`, '1 INVITE')
    send(there, call.ring + 0.03, `ACK ${uri} SIP/2.0`, '1 ACK')
    return seen
  }
  send(back, call.ring, 'SIP/2.0 200 OK', '1 INVITE', { offer: true })
  send(there, call.ring + 0.028, `ACK ${uri} SIP/2.0`, '1 ACK')
  const end = call.ring + call.duration
  const [ending, ended] = call.reason === 'caller hungup' ? [there, back] : [back, there]
  send(ending, end, `BYE sip:${ending[1][0]} SIP/2.0`, '2 BYE')
  send(ended, end + 0.007, 'SIP/2.0 200 OK', '2 BYE')
  return seen
}

/**
 * Sends messages over TCP, like a capturing proxy: a busy machine would drop datagrams silently. Resolves when the
 * server has read them all.
 */
export const pass = async (port: number, messages: readonly Seen[]): Promise<void> => {
  const socket = connect(port, '127.0.0.1').resume()
  const read = once(socket, 'close')
  await pipeline(Readable.from(messages.map(hepOf)), socket)
  await read
}

import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hepPacketOf, sdp, type AgentMessage } from '../server/test/external/hep-agent'
import type { Call } from './calls'
import type { SeededRandom } from './seeded-random'

const platformAddress = '203.0.113.100'

const statusTexts: Record<number, string> = {
  404: 'Not Found',
  480: 'Temporarily Unavailable',
  486: 'Busy Here',
  487: 'Request Terminated',
  503: 'Service Unavailable',
  603: 'Decline',
}

/** The SIP messages of a call between its carrier and the platform, as captured on the wire. */
export const generateSipMessages = (random: SeededRandom, call: Call): AgentMessage[] => {
  const carrier = [call.gateway, 5060] as const
  const platform = [platformAddress, 5060] as const
  const [caller, callee] = call.direction === 'inbound' ? [carrier, platform] : [platform, carrier]
  const [fromTag, toTag] = [random.hex(8), random.hex(8)]
  const mediaPorts = {
    [caller[0]]: random.integer(10_000, 16_000) * 2,
    [callee[0]]: random.integer(20_000, 30_000) * 2,
  }
  const messages: AgentMessage[] = []
  const startUs = call.startedAtMs * 1000

  /** Adds a message this many seconds after the first one. */
  const addMessage = (
    [source, target]: readonly [typeof caller, typeof callee],
    afterSeconds: number,
    startLine: string,
    cseq: string,
    { hasSdp = false, hasToTag = true } = {},
  ) => {
    const body = hasSdp ? sdp(source[0], mediaPorts[source[0]] ?? 0) : ''
    // a response belongs to the transaction of its request; in a request of the callee, From and To swap
    const requester = startLine.startsWith('SIP') ? target : source
    const callerParty = { uri: `sip:+${call.from}@${caller[0]}`, tag: fromTag }
    const calleeParty = { uri: `sip:+${call.to}@${callee[0]}`, tag: toTag }
    const [from, to] = requester === caller ? [callerParty, calleeParty] : [calleeParty, callerParty]
    const head = [
      startLine,
      `Via: SIP/2.0/UDP ${requester[0]}:${requester[1]};branch=z9hG4bK${cseq.replace(' ', '')}${fromTag}`,
      ...(startLine.startsWith('SIP') ? [] : ['Max-Forwards: 70']),
      `From: <${from.uri}>;tag=${from.tag}`,
      `To: <${to.uri}>${hasToTag ? `;tag=${to.tag}` : ''}`,
      `Call-ID: ${call.sip_callid}`,
      `CSeq: ${cseq}`,
      `Contact: <sip:${source[0]}:${source[1]}>`,
      ...(body ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${body.length}`,
    ]
    messages.push({
      source,
      target,
      timeUs: startUs + Math.round(afterSeconds * 1e6),
      payload: [...head, '', body].join('\r\n'),
    })
  }

  const toCallee = [caller, callee] as const
  const toCaller = [callee, caller] as const
  const uri = `sip:+${call.to}@${callee[0]}`
  addMessage(toCallee, 0, `INVITE ${uri} SIP/2.0`, '1 INVITE', { hasSdp: true, hasToTag: false })
  // now and then a packet is lost, and is sent again after half a second
  if (call.ringSeconds > 0.8 && random.chance(0.15))
    addMessage(toCallee, 0.5, `INVITE ${uri} SIP/2.0`, '1 INVITE', { hasSdp: true, hasToTag: false })
  const tryingSeconds = call.ringSeconds > 0.8 && messages.length > 1 ? 0.504 : 0.004
  addMessage(toCaller, tryingSeconds, 'SIP/2.0 100 Trying', '1 INVITE', { hasToTag: false })
  if (call.status === 200 || call.status === 487)
    addMessage(toCaller, tryingSeconds + 0.15, 'SIP/2.0 180 Ringing', '1 INVITE')
  if (call.status === 487) {
    addMessage(toCallee, call.ringSeconds, `CANCEL ${uri} SIP/2.0`, '1 CANCEL', { hasToTag: false })
    addMessage(toCaller, call.ringSeconds + 0.004, 'SIP/2.0 200 OK', '1 CANCEL')
  }
  if (call.status !== 200) {
    addMessage(
      toCaller,
      call.ringSeconds + 0.006,
      `SIP/2.0 ${call.status} ${statusTexts[call.status] ?? 'Failed'}`,
      '1 INVITE',
    )
    addMessage(toCallee, call.ringSeconds + 0.03, `ACK ${uri} SIP/2.0`, '1 ACK')
    return messages
  }
  addMessage(toCaller, call.ringSeconds, 'SIP/2.0 200 OK', '1 INVITE', { hasSdp: true })
  addMessage(toCallee, call.ringSeconds + 0.028, `ACK ${uri} SIP/2.0`, '1 ACK')
  const endSeconds = call.ringSeconds + call.durationSeconds
  const [byeDirection, okDirection] =
    call.terminationReason === 'caller hungup' ? [toCallee, toCaller] : [toCaller, toCallee]
  addMessage(byeDirection, endSeconds, `BYE sip:${byeDirection[1][0]} SIP/2.0`, '2 BYE')
  addMessage(okDirection, endSeconds + 0.007, 'SIP/2.0 200 OK', '2 BYE')
  return messages
}

/**
 * Sends messages over TCP, like a capturing proxy: a busy machine would drop datagrams silently. Resolves when the
 * server has read them all.
 */
export const sendCaptures = async (port: number, messages: readonly AgentMessage[]): Promise<void> => {
  const socket = connect(port, '127.0.0.1').resume()
  const socketClosed = once(socket, 'close')
  await pipeline(Readable.from(messages.map(hepPacketOf)), socket)
  await socketClosed
}

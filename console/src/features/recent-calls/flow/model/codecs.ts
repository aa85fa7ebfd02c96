import type { MediaStream } from './capture/rtp'
import type { SipMessage } from '@trunkline/contract/calls/sip-message'

/** Codec names by `address port type`: the receiving socket and the RTP payload type. */
export type SaidCodecs = ReadonlyMap<string, string>

/** Static RTP payload types. */
const fixed: Record<number, string> = {
  0: 'PCMU',
  3: 'GSM',
  4: 'G723',
  8: 'PCMA',
  9: 'G722',
  13: 'CN',
  15: 'G728',
  18: 'G729',
}

export interface Media {
  /** 'audio' or 'video'. */
  kind: string
  address: string
  port: number
  /** RTP payload types in order of preference. */
  codecs: { type: number; name: string }[]
  direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'
}

const codecsOf = (types: string): Media['codecs'] =>
  types
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .map((type) => ({ type, name: fixed[type] ?? String(type) }))

/** The SDP lines that change a media section, and their effect. */
const lines: [RegExp, (into: Media, one: string, other: string) => void][] = [
  [/^c=IN IP[46] ([^\s/]+)/, (into, address) => (into.address = address)],
  [/^a=(sendrecv|sendonly|recvonly|inactive)$/, (into, way) => (into.direction = way as Media['direction'])],
  [
    /^a=rtpmap:(\d{1,3}) ([^\s/]+)/,
    (into, type, name) => {
      for (const codec of into.codecs) if (codec.type === Number(type)) codec.name = name
    },
  ],
]

/** Returns the media of a session description. */
export const sessionOf = (body: string): Media[] => {
  /** Session-level values, which are the defaults of the media sections. */
  const general: Media = { kind: '', address: '', port: 0, codecs: [], direction: 'sendrecv' }
  const found: Media[] = []
  for (const line of body.split(/\r?\n/)) {
    const [, kind, port, types = ''] = /^m=(\w+) (\d{1,5})\S* \S+ ?([\d ]*)/.exec(line) ?? []
    if (kind) found.push({ ...general, kind, port: Number(port), codecs: codecsOf(types) })
    for (const [pattern, change] of lines) {
      const [all, one = '', other = ''] = pattern.exec(line) ?? []
      if (all) change(found.at(-1) ?? general, one, other)
    }
  }
  return found
}

const isSession = (text: string) => text.includes('\nm=')

/** Returns the codec names that the session descriptions assign to payload types. */
export const codecsSaid = (messages: readonly SipMessage[]): SaidCodecs => {
  const said = new Map<string, string>()
  for (const { text } of messages)
    if (isSession(text))
      for (const { address, port, codecs } of sessionOf(text))
        for (const { type, name } of codecs) said.set(`${address} ${port} ${type}`, name)
  return said
}

/** Returns, for each `address port`, the Call-IDs whose session descriptions name it as a media address. */
export const legsHeardAt = (messages: readonly SipMessage[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const legs = new Map<string, Set<string>>()
  for (const { text, callId } of messages)
    if (isSession(text))
      for (const { address, port } of sessionOf(text)) {
        const key = `${address} ${port}`
        legs.set(key, (legs.get(key) ?? new Set()).add(callId))
      }
  return legs
}

/** Returns the codec name of a stream. */
export const codecOf = ({ source, target, type }: MediaStream, said: SaidCodecs): string =>
  said.get(`${target.address} ${target.port} ${type}`) ??
  said.get(`${source.address} ${source.port} ${type}`) ??
  fixed[type] ??
  `type ${type}`

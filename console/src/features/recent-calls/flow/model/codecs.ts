import type { MediaStream } from './capture/rtp'
import type { SipMessage } from '@trunkline/contract/calls/sip-message'

/** Names of RTP's types where sound is heard, as `address port type`. */
export type SaidCodecs = ReadonlyMap<string, string>

/** Types that mean the same everywhere. */
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
  /** `audio`, `video`. */
  kind: string
  address: string
  port: number
  /** By RTP's numbers, in the order of preference. */
  codecs: { type: number; name: string }[]
  direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'
}

const codecsOf = (types: string): Media['codecs'] =>
  types
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .map((type) => ({ type, name: fixed[type] ?? String(type) }))

/** What a line changes in the part that it stands in, each by what it begins with. */
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

/** What a session description offers or takes. */
export const sessionOf = (body: string): Media[] => {
  /** What holds for all that says nothing else. */
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

/** What the messages say about types whose meaning is agreed on. */
export const codecsSaid = (messages: readonly SipMessage[]): SaidCodecs => {
  const said = new Map<string, string>()
  for (const { text } of messages)
    if (isSession(text))
      for (const { address, port, codecs } of sessionOf(text))
        for (const { type, name } of codecs) said.set(`${address} ${port} ${type}`, name)
  return said
}

/** The Call-IDs whose messages say that sound is heard at an `address port`. */
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

/** How the sound of a stream is packed, in a word. */
export const codecOf = ({ source, target, type }: MediaStream, said: SaidCodecs): string =>
  said.get(`${target.address} ${target.port} ${type}`) ??
  said.get(`${source.address} ${source.port} ${type}`) ??
  fixed[type] ??
  `type ${type}`

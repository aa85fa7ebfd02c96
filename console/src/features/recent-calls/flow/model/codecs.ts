import type { RtpStream } from './capture/rtp'
import type { SipMessage } from '@trunkline/contract/calls/sip-message'

/** Codec names by `address port type`: the receiving socket and the RTP payload type. */
export type CodecNames = ReadonlyMap<string, string>

/** Static RTP payload types. */
const staticCodecs: Record<number, string> = {
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

const parsePayloadTypes = (types: string): Media['codecs'] =>
  types
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .map((type) => ({ type, name: staticCodecs[type] ?? String(type) }))

/** The SDP lines that change a media section, and their effect. */
const sdpLines: [RegExp, (media: Media, value: string, secondValue: string) => void][] = [
  [/^c=IN IP[46] ([^\s/]+)/, (media, address) => (media.address = address)],
  [
    /^a=(sendrecv|sendonly|recvonly|inactive)$/,
    (media, direction) => (media.direction = direction as Media['direction']),
  ],
  [
    /^a=rtpmap:(\d{1,3}) ([^\s/]+)/,
    (media, type, name) => {
      for (const codec of media.codecs) if (codec.type === Number(type)) codec.name = name
    },
  ],
]

/** Returns the media of a session description. */
export const parseSdp = (body: string): Media[] => {
  /** Session-level values, which are the defaults of the media sections. */
  const sessionDefaults: Media = { kind: '', address: '', port: 0, codecs: [], direction: 'sendrecv' }
  const sections: Media[] = []
  for (const line of body.split(/\r?\n/)) {
    const [, kind, port, types = ''] = /^m=(\w+) (\d{1,5})\S* \S+ ?([\d ]*)/.exec(line) ?? []
    if (kind) sections.push({ ...sessionDefaults, kind, port: Number(port), codecs: parsePayloadTypes(types) })
    for (const [pattern, apply] of sdpLines) {
      const [match, value = '', secondValue = ''] = pattern.exec(line) ?? []
      if (match) apply(sections.at(-1) ?? sessionDefaults, value, secondValue)
    }
  }
  return sections
}

const isSession = (text: string) => text.includes('\nm=')

/** Returns the codec names that the session descriptions assign to payload types. */
export const collectCodecNames = (messages: readonly SipMessage[]): CodecNames => {
  const codecNames = new Map<string, string>()
  for (const { text } of messages)
    if (isSession(text))
      for (const { address, port, codecs } of parseSdp(text))
        for (const { type, name } of codecs) codecNames.set(`${address} ${port} ${type}`, name)
  return codecNames
}

/** Returns, for each `address port`, the Call-IDs whose session descriptions name it as a media address. */
export const groupLegsByMediaAddress = (messages: readonly SipMessage[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const legs = new Map<string, Set<string>>()
  for (const { text, callId } of messages)
    if (isSession(text))
      for (const { address, port } of parseSdp(text)) {
        const key = `${address} ${port}`
        legs.set(key, (legs.get(key) ?? new Set()).add(callId))
      }
  return legs
}

/** Returns the codec name of a stream. */
export const getCodecName = ({ source, target, payloadType }: RtpStream, codecNames: CodecNames): string =>
  codecNames.get(`${target.address} ${target.port} ${payloadType}`) ??
  codecNames.get(`${source.address} ${source.port} ${payloadType}`) ??
  staticCodecs[payloadType] ??
  `type ${payloadType}`

import type { Capture } from './capture/capture'
import type { MediaStream } from './capture/rtp'
import {
  headerValue,
  splitSipMessage,
  type SocketAddress,
  type SipMessage,
} from '@trunkline/contract/calls/sip-message'
import { codecOf, codecsSaid, legsHeardAt, type SaidCodecs } from './codecs'

/** A host of the ladder, shown as a column. */
export interface Participant {
  address: string
  /** Ports of the host. If two ports of one address exchange messages, each of them has a column. */
  ports: number[]
}

export interface MessageRow {
  kind: 'message'
  message: SipMessage
  /** Column indexes. */
  from: number
  to: number
  /** Microseconds since the first row, and since the previous message. */
  at: number
  after: number
  tone: 'request' | 'progress' | 'success' | 'redirect' | 'failure'
  /** 'INVITE' or '200 OK'. */
  title: string
  session: boolean
  credentials: boolean
  challenge: boolean
  /** The message is a retransmission. */
  again: boolean
  /** Number of retransmissions of the message. */
  repeats: number
}

export interface MediaRow {
  kind: 'media'
  /** One stream, or one for each direction. */
  streams: MediaStream[]
  codec: string
  from: number
  to: number
  at: number
  /** Microseconds. */
  length: number
}

export type LadderRow = MessageRow | MediaRow

export interface Leg {
  callId: string
  messages: number
  /** Users in the From and To headers of the first message. */
  from: string
  to: string
}

export interface Ladder {
  participants: Participant[]
  rows: LadderRow[]
  legs: Leg[]
  /** Number of retransmissions, whether they are shown or not. */
  repeats: number
}

export interface LadderLook {
  /** Shows only the messages of this Call-ID. */
  leg?: string
  /** Also shows retransmissions. */
  again?: boolean
}

/** Microseconds. SIP retransmits for at most 64 × T1 (T1 = 500 ms); after that, the same text is a new message. */
const patience = 64 * 500_000

const endText = ({ address, port }: SocketAddress) => `${address} ${port}`

/**
 * No sender retransmits within this many microseconds. Until then, the same text is one message captured at two places.
 */
const instant = 20_000

const wordsOf = ({ source, target, text }: SipMessage) => `${endText(source)} ${endText(target)} ${text}`

/** Removes duplicates of messages that were captured at several places. */
const sentOf = (messages: readonly SipMessage[]): SipMessage[] => {
  const times = new Map<string, number>()
  return messages.filter((message) => {
    const words = wordsOf(message)
    const before = times.get(words)
    times.set(words, message.time)
    return before === undefined || message.time - before >= instant
  })
}

/** Finds retransmissions, and counts them for each original message. */
const repeatsOf = (messages: readonly SipMessage[]) => {
  const said = new Map<string, { first: SipMessage; time: number }>()
  const again = new Set<SipMessage>()
  const counts = new Map<SipMessage, number>()
  for (const message of messages) {
    // TCP and WebSocket retransmit at the transport layer
    if (message.transport !== 'UDP') continue
    const key = wordsOf(message)
    const known = said.get(key)
    if (known && message.time - known.time <= patience) {
      again.add(message)
      counts.set(known.first, (counts.get(known.first) ?? 0) + 1)
      said.set(key, { first: known.first, time: message.time })
    } else said.set(key, { first: message, time: message.time })
  }
  return { again, counts }
}

const userOf = (header: string | undefined): string => {
  const [, address = header ?? ''] = /<([^>]*)>/.exec(header ?? '') ?? []
  return (
    address
      .replace(/^(?:sips?|tel):/i, '')
      .replace(/[;?].*$/, '')
      .split('@')[0] ?? ''
  )
}

const legsOf = (messages: readonly SipMessage[]): Leg[] => {
  const legs = new Map<string, Leg>()
  for (const { callId, text } of messages) {
    const known = legs.get(callId)
    if (known) known.messages += 1
    else {
      const parts = splitSipMessage(text)
      const [from, to] = ['from', 'to'].map((name) => userOf(headerValue(parts, name)))
      legs.set(callId, { callId, messages: 1, from: from ?? '', to: to ?? '' })
    }
  }
  return [...legs.values()]
}

/** Returns the columns, and a function that returns the column of a socket address. */
const columnsOf = (messages: readonly SipMessage[]) => {
  const alone = new Set(
    messages.filter(({ source, target }) => source.address === target.address).map(({ source }) => source.address),
  )
  const keyOf = (end: SocketAddress) => (alone.has(end.address) ? endText(end) : end.address)
  const places = new Map<string, number>()
  const participants: Participant[] = []
  for (const end of messages.flatMap(({ source, target }) => [source, target])) {
    const place = places.get(keyOf(end))
    if (place === undefined) {
      places.set(keyOf(end), participants.length)
      participants.push({ address: end.address, ports: [end.port] })
    } else if (!participants[place]!.ports.includes(end.port)) participants[place]!.ports.push(end.port)
  }
  return { participants, columnOf: (end: SocketAddress) => places.get(keyOf(end)) }
}

const toneOf = (status: number | undefined): MessageRow['tone'] => {
  if (status === undefined) return 'request'
  if (status < 200) return 'progress'
  if (status < 300) return 'success'
  return status < 400 ? 'redirect' : 'failure'
}

const contentType = /^(?:content-type|c)[ \t]*:[ \t]*(?:application\/sdp|multipart\/)/im
const credentials = /^(?:proxy-)?authorization[ \t]*:/im

/** Pairs the streams of the two directions if they overlap in time. */
const pairsOf = (media: readonly MediaStream[]): MediaStream[][] => {
  const pairs: MediaStream[][] = []
  for (const stream of media) {
    const back = pairs.find(
      ([one, other]) =>
        one &&
        !other &&
        endText(one.source) === endText(stream.target) &&
        endText(one.target) === endText(stream.source) &&
        stream.from <= one.to,
    )
    if (back) back.push(stream)
    else pairs.push([stream])
  }
  return pairs
}

/**
 * Returns the RTP streams of one leg. RTP has no Call-ID, so a stream belongs to the legs that negotiated one of its
 * addresses. If none did, it belongs to the legs in which both of its hosts take part.
 */
const soundOf = (
  leg: string,
  messages: readonly SipMessage[],
  media: readonly MediaStream[],
  columnOf: (end: SocketAddress) => number | undefined,
): MediaStream[] => {
  const legsAt = legsHeardAt(messages)
  return media.filter(({ source, target }) => {
    const ends = [source, target]
    const agreed = ends.flatMap((end) => [...(legsAt.get(endText(end)) ?? [])])
    return agreed.length > 0 ? agreed.includes(leg) : ends.every((end) => columnOf(end) !== undefined)
  })
}

const mediaRow = (
  streams: MediaStream[],
  columnOf: (end: SocketAddress) => number | undefined,
  said: SaidCodecs,
  zero: number,
  last: number,
): MediaRow => {
  const [first] = streams as [MediaStream]
  // spans the columns of sender and receiver, or all columns if one of them has no column
  const ends = [columnOf(first.source), columnOf(first.target)]
  const [from, to] = ends[0] === undefined || ends[1] === undefined || ends[0] === ends[1] ? [0, last] : ends
  return {
    kind: 'media',
    streams,
    codec: codecOf(first, said),
    from: Math.min(from!, to!),
    to: Math.max(from!, to!),
    at: first.from - zero,
    length: Math.max(...streams.map((stream) => stream.to)) - first.from,
  }
}

interface Drawing extends LadderLook {
  columnOf: (end: SocketAddress) => number | undefined
  zero: number
  repeats: ReturnType<typeof repeatsOf>
}

const messageRow = (message: SipMessage, before: number, { columnOf, zero, repeats, again }: Drawing): MessageRow => {
  const { status, reason, text, method } = message
  const head = text.split(/\r?\n\r?\n/, 1)[0]!
  return {
    kind: 'message',
    message,
    from: columnOf(message.source) ?? 0,
    to: columnOf(message.target) ?? 0,
    at: message.time - zero,
    after: message.time - before,
    tone: toneOf(status),
    title: status === undefined ? method : `${status} ${reason ?? ''}`.trim(),
    session: contentType.test(head) && text.length > head.length + 4,
    credentials: credentials.test(head),
    challenge: status === 401 || status === 407,
    again: repeats.again.has(message),
    repeats: again ? 0 : (repeats.counts.get(message) ?? 0),
  }
}

const messageRows = (messages: readonly SipMessage[], drawing: Drawing): MessageRow[] => {
  const shown = messages.filter((message) => drawing.again || !drawing.repeats.again.has(message))
  return shown.map((message, at) => messageRow(message, shown[at - 1]?.time ?? message.time, drawing))
}

/** Converts a capture to a ladder: its hosts as columns, and its messages and media as rows. */
export const ladderOf = (capture: Pick<Capture, 'messages' | 'media'>, look: LadderLook = {}): Ladder => {
  const { media } = capture
  const messages = sentOf(capture.messages)
  const repeats = repeatsOf(messages)
  const chosen = look.leg === undefined ? messages : messages.filter(({ callId }) => callId === look.leg)
  const { participants, columnOf } = columnsOf(chosen)
  const zero = Math.min(messages[0]?.time ?? Infinity, media[0]?.from ?? Infinity)
  const said = codecsSaid(messages)
  const heard = pairsOf(look.leg === undefined ? media : soundOf(look.leg, messages, media, columnOf))
  const last = Math.max(0, participants.length - 1)
  const rows: LadderRow[] = [
    ...messageRows(chosen, { ...look, columnOf, zero, repeats }),
    ...heard.map((streams) => mediaRow(streams, columnOf, said, zero, last)),
  ]
  rows.sort((one, other) => one.at - other.at)
  return { participants, rows, legs: legsOf(messages), repeats: repeats.again.size }
}

import type { Capture } from './capture/capture'
import type { RtpStream } from './capture/rtp'
import {
  findHeaderValue,
  splitSipMessage,
  type SocketAddress,
  type SipMessage,
} from '@trunkline/contract/calls/sip-message'
import { codecName, negotiatedCodecs, legsByMediaAddress, type CodecNames } from './codecs'

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
  offsetUs: number
  sincePreviousUs: number
  tone: 'request' | 'progress' | 'success' | 'redirect' | 'failure'
  /** 'INVITE' or '200 OK'. */
  title: string
  hasSession: boolean
  hasCredentials: boolean
  isChallenge: boolean
  /** The message is a retransmission. */
  isRetransmission: boolean
  /** Number of retransmissions of the message. */
  repeats: number
}

export interface MediaRow {
  kind: 'media'
  /** One stream, or one for each direction. */
  streams: RtpStream[]
  codec: string
  from: number
  to: number
  offsetUs: number
  /** Microseconds. */
  lengthUs: number
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

export interface LadderOptions {
  /** Shows only the messages of this Call-ID. */
  leg?: string
  /** Also shows retransmissions. */
  showRetransmissions?: boolean
}

/** Microseconds. SIP retransmits for at most 64 × T1 (T1 = 500 ms); after that, the same text is a new message. */
const retransmissionWindowUs = 64 * 500_000

const socketKey = ({ address, port }: SocketAddress) => `${address} ${port}`

/**
 * No sender retransmits within this many microseconds. Until then, the same text is one message captured at two places.
 */
const duplicateWindowUs = 20_000

const messageKey = ({ source, target, text }: SipMessage) => `${socketKey(source)} ${socketKey(target)} ${text}`

/** Removes duplicates of messages that were captured at several places. */
const removeDuplicates = (messages: readonly SipMessage[]): SipMessage[] => {
  const times = new Map<string, number>()
  return messages.filter((message) => {
    const key = messageKey(message)
    const previousTime = times.get(key)
    times.set(key, message.time)
    return previousTime === undefined || message.time - previousTime >= duplicateWindowUs
  })
}

/** Finds retransmissions, and counts them for each original message. */
const findRetransmissions = (messages: readonly SipMessage[]) => {
  const lastSent = new Map<string, { original: SipMessage; time: number }>()
  const retransmissions = new Set<SipMessage>()
  const counts = new Map<SipMessage, number>()
  for (const message of messages) {
    // TCP and WebSocket retransmit at the transport layer
    if (message.transport !== 'UDP') continue
    const key = messageKey(message)
    const previous = lastSent.get(key)
    if (previous && message.time - previous.time <= retransmissionWindowUs) {
      retransmissions.add(message)
      counts.set(previous.original, (counts.get(previous.original) ?? 0) + 1)
      lastSent.set(key, { original: previous.original, time: message.time })
    } else lastSent.set(key, { original: message, time: message.time })
  }
  return { retransmissions, counts }
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
    const leg = legs.get(callId)
    if (leg) leg.messages += 1
    else {
      const parts = splitSipMessage(text)
      const [from, to] = ['from', 'to'].map((name) => userOf(findHeaderValue(parts, name)))
      legs.set(callId, { callId, messages: 1, from: from ?? '', to: to ?? '' })
    }
  }
  return [...legs.values()]
}

/** Returns the columns, and a function that returns the column of a socket address. */
const columnsOf = (messages: readonly SipMessage[]) => {
  const loopbackAddresses = new Set(
    messages.filter(({ source, target }) => source.address === target.address).map(({ source }) => source.address),
  )
  const columnKey = (socket: SocketAddress) =>
    loopbackAddresses.has(socket.address) ? socketKey(socket) : socket.address
  const columnIndexes = new Map<string, number>()
  const participants: Participant[] = []
  for (const socket of messages.flatMap(({ source, target }) => [source, target])) {
    const index = columnIndexes.get(columnKey(socket))
    if (index === undefined) {
      columnIndexes.set(columnKey(socket), participants.length)
      participants.push({ address: socket.address, ports: [socket.port] })
    } else if (!participants[index]!.ports.includes(socket.port)) participants[index]!.ports.push(socket.port)
  }
  return { participants, columnOf: (socket: SocketAddress) => columnIndexes.get(columnKey(socket)) }
}

const toneOf = (status: number | undefined): MessageRow['tone'] => {
  if (status === undefined) return 'request'
  if (status < 200) return 'progress'
  if (status < 300) return 'success'
  return status < 400 ? 'redirect' : 'failure'
}

const sessionHeader = /^(?:content-type|c)[ \t]*:[ \t]*(?:application\/sdp|multipart\/)/im
const authorizationHeader = /^(?:proxy-)?authorization[ \t]*:/im

/** Pairs the streams of the two directions if they overlap in time. */
const pairStreams = (media: readonly RtpStream[]): RtpStream[][] => {
  const pairs: RtpStream[][] = []
  for (const stream of media) {
    const pair = pairs.find(
      ([a, b]) =>
        a &&
        !b &&
        socketKey(a.source) === socketKey(stream.target) &&
        socketKey(a.target) === socketKey(stream.source) &&
        stream.from <= a.to,
    )
    if (pair) pair.push(stream)
    else pairs.push([stream])
  }
  return pairs
}

/**
 * Returns the RTP streams of one leg. RTP has no Call-ID, so a stream belongs to the legs that negotiated one of its
 * addresses. If none did, it belongs to the legs in which both of its hosts take part.
 */
const streamsOfLeg = (
  leg: string,
  messages: readonly SipMessage[],
  media: readonly RtpStream[],
  columnOf: (socket: SocketAddress) => number | undefined,
): RtpStream[] => {
  const legsAt = legsByMediaAddress(messages)
  return media.filter(({ source, target }) => {
    const sockets = [source, target]
    const negotiatedLegs = sockets.flatMap((socket) => [...(legsAt.get(socketKey(socket)) ?? [])])
    return negotiatedLegs.length > 0
      ? negotiatedLegs.includes(leg)
      : sockets.every((socket) => columnOf(socket) !== undefined)
  })
}

const mediaRow = (
  streams: RtpStream[],
  columnOf: (socket: SocketAddress) => number | undefined,
  codecNames: CodecNames,
  startTime: number,
  lastColumn: number,
): MediaRow => {
  const [firstStream] = streams as [RtpStream]
  // spans the columns of sender and receiver, or all columns if one of them has no column
  const sockets = [columnOf(firstStream.source), columnOf(firstStream.target)]
  const [from, to] =
    sockets[0] === undefined || sockets[1] === undefined || sockets[0] === sockets[1] ? [0, lastColumn] : sockets
  return {
    kind: 'media',
    streams,
    codec: codecName(firstStream, codecNames),
    from: Math.min(from!, to!),
    to: Math.max(from!, to!),
    offsetUs: firstStream.from - startTime,
    lengthUs: Math.max(...streams.map((stream) => stream.to)) - firstStream.from,
  }
}

interface LadderContext extends LadderOptions {
  columnOf: (socket: SocketAddress) => number | undefined
  startTime: number
  repeats: ReturnType<typeof findRetransmissions>
}

const messageRow = (
  message: SipMessage,
  previousTime: number,
  { columnOf, startTime, repeats, showRetransmissions }: LadderContext,
): MessageRow => {
  const { status, reason, text, method } = message
  const head = text.split(/\r?\n\r?\n/, 1)[0]!
  return {
    kind: 'message',
    message,
    from: columnOf(message.source) ?? 0,
    to: columnOf(message.target) ?? 0,
    offsetUs: message.time - startTime,
    sincePreviousUs: message.time - previousTime,
    tone: toneOf(status),
    title: status === undefined ? method : `${status} ${reason ?? ''}`.trim(),
    hasSession: sessionHeader.test(head) && text.length > head.length + 4,
    hasCredentials: authorizationHeader.test(head),
    isChallenge: status === 401 || status === 407,
    isRetransmission: repeats.retransmissions.has(message),
    repeats: showRetransmissions ? 0 : (repeats.counts.get(message) ?? 0),
  }
}

const messageRows = (messages: readonly SipMessage[], context: LadderContext): MessageRow[] => {
  const visibleMessages = messages.filter(
    (message) => context.showRetransmissions || !context.repeats.retransmissions.has(message),
  )
  return visibleMessages.map((message, index) =>
    messageRow(message, visibleMessages[index - 1]?.time ?? message.time, context),
  )
}

/** Converts a capture to a ladder: its hosts as columns, and its messages and media as rows. */
export const createLadder = (capture: Pick<Capture, 'messages' | 'media'>, options: LadderOptions = {}): Ladder => {
  const { media } = capture
  const messages = removeDuplicates(capture.messages)
  const repeats = findRetransmissions(messages)
  const legMessages = options.leg === undefined ? messages : messages.filter(({ callId }) => callId === options.leg)
  const { participants, columnOf } = columnsOf(legMessages)
  const startTime = Math.min(messages[0]?.time ?? Infinity, media[0]?.from ?? Infinity)
  const codecNames = negotiatedCodecs(messages)
  const streamPairs = pairStreams(
    options.leg === undefined ? media : streamsOfLeg(options.leg, messages, media, columnOf),
  )
  const lastColumn = Math.max(0, participants.length - 1)
  const rows: LadderRow[] = [
    ...messageRows(legMessages, { ...options, columnOf, startTime, repeats }),
    ...streamPairs.map((streams) => mediaRow(streams, columnOf, codecNames, startTime, lastColumn)),
  ]
  rows.sort((a, b) => a.offsetUs - b.offsetUs)
  return { participants, rows, legs: legsOf(messages), repeats: repeats.retransmissions.size }
}

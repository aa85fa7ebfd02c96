import type { Capture } from './capture/capture'
import type { RtpStream } from './capture/rtp'
import {
  findHeaderValue,
  splitSipMessage,
  type SocketAddress,
  type SipMessage,
} from '@trunkline/contract/calls/sip-message'
import { getCodecName, collectCodecNames, groupLegsByMediaAddress, type CodecNames } from './codecs'

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
  fromColumn: number
  toColumn: number
  /** Microseconds since the first row, and since the previous message. */
  offsetUs: number
  sincePreviousUs: number
  tone: 'request' | 'progress' | 'success' | 'redirect' | 'failure'
  /** 'INVITE' or '200 OK'. */
  title: string
  hasSession: boolean
  hasCredentials: boolean
  isChallenge: boolean
  isRetransmission: boolean
  /** Number of retransmissions of the message, unless they have rows of their own. */
  retransmissionCount: number
}

export interface MediaRow {
  kind: 'media'
  /** One stream, or one for each direction. */
  streams: RtpStream[]
  codec: string
  /** Column indexes. */
  fromColumn: number
  toColumn: number
  /** Microseconds since the first row. */
  offsetUs: number
  lengthUs: number
}

export type LadderRow = MessageRow | MediaRow

export interface Leg {
  callId: string
  messageCount: number
  /** Users in the From and To headers of the first message. */
  fromUser: string
  toUser: string
}

export interface Ladder {
  participants: Participant[]
  rows: LadderRow[]
  legs: Leg[]
  /** Number of retransmissions, whether they are shown or not. */
  retransmissionCount: number
  /** Number of participants, including those beyond `maxParticipants`. */
  participantCount: number
  /** Number of messages without a row, because their sender or receiver is beyond `maxParticipants`. */
  hiddenMessageCount: number
}

export interface LadderOptions {
  /** Shows only the messages of this Call-ID. */
  callId?: string
  /** Also shows retransmissions. */
  showsRetransmissions?: boolean
}

/** A ladder with more columns is unreadable and slow to draw. Calls have far fewer participants. */
export const maxParticipants = 50

/** SIP retransmits for at most 64 × T1 (T1 = 500 ms); after that, the same text is a new message. */
const retransmissionWindowUs = 64 * 500_000

const socketKey = ({ address, port }: SocketAddress) => `${address} ${port}`

/**
 * No sender retransmits within this time. A message with the same text is a duplicate, captured at a second place.
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
  const retransmissionCounts = new Map<SipMessage, number>()
  for (const message of messages) {
    // TCP and WebSocket retransmit at the transport layer
    if (message.transport !== 'UDP') continue
    const key = messageKey(message)
    const previous = lastSent.get(key)
    if (previous && message.time - previous.time <= retransmissionWindowUs) {
      retransmissions.add(message)
      retransmissionCounts.set(previous.original, (retransmissionCounts.get(previous.original) ?? 0) + 1)
      lastSent.set(key, { original: previous.original, time: message.time })
    } else lastSent.set(key, { original: message, time: message.time })
  }
  return { retransmissions, retransmissionCounts }
}

const getUser = (header: string | undefined): string => {
  const [, address = header ?? ''] = /<([^>]*)>/.exec(header ?? '') ?? []
  return (
    address
      .replace(/^(?:sips?|tel):/i, '')
      .replace(/[;?].*$/, '')
      .split('@')[0] ?? ''
  )
}

const collectLegs = (messages: readonly SipMessage[]): Leg[] => {
  const legs = new Map<string, Leg>()
  for (const { callId, text } of messages) {
    const leg = legs.get(callId)
    if (leg) leg.messageCount += 1
    else {
      const parts = splitSipMessage(text)
      const [fromUser = '', toUser = ''] = ['from', 'to'].map((name) => getUser(findHeaderValue(parts, name)))
      legs.set(callId, { callId, messageCount: 1, fromUser, toUser })
    }
  }
  return [...legs.values()]
}

/**
 * Returns the columns, and a function that returns the column of a socket address: undefined if it takes no part in the
 * messages, or is beyond `maxParticipants`.
 */
const createColumns = (messages: readonly SipMessage[]) => {
  const loopbackAddresses = new Set(
    messages.filter(({ source, target }) => source.address === target.address).map(({ source }) => source.address),
  )
  const columnKey = (socket: SocketAddress) =>
    loopbackAddresses.has(socket.address) ? socketKey(socket) : socket.address
  const hosts = new Map<string, { address: string; column: number; ports: Set<number> }>()
  for (const socket of messages.flatMap(({ source, target }) => [source, target])) {
    const key = columnKey(socket)
    const host = hosts.get(key)
    if (host) host.ports.add(socket.port)
    else hosts.set(key, { address: socket.address, column: hosts.size, ports: new Set([socket.port]) })
  }
  const participants = [...hosts.values()]
    .slice(0, maxParticipants)
    .map(({ address, ports }): Participant => ({ address, ports: [...ports] }))
  const columnOf = (socket: SocketAddress) => {
    const column = hosts.get(columnKey(socket))?.column
    return column !== undefined && column < maxParticipants ? column : undefined
  }
  return { participants, participantCount: hosts.size, columnOf }
}

const getTone = (status: number | undefined): MessageRow['tone'] => {
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
  /** The streams without a partner, by their sockets. Each is the only one of its pair. */
  const unpairedStreams = new Map<string, { stream: RtpStream; pair: RtpStream[] }[]>()
  for (const stream of media) {
    const [sourceKey, targetKey] = [socketKey(stream.source), socketKey(stream.target)]
    const candidates = unpairedStreams.get(`${targetKey} ${sourceKey}`) ?? []
    const index = candidates.findIndex((candidate) => stream.startedAtUs <= candidate.stream.endedAtUs)
    if (index >= 0) {
      const [partner] = candidates.splice(index, 1)
      partner!.pair.push(stream)
      continue
    }
    const pair = [stream]
    pairs.push(pair)
    const key = `${sourceKey} ${targetKey}`
    const siblings = unpairedStreams.get(key)
    if (siblings) siblings.push({ stream, pair })
    else unpairedStreams.set(key, [{ stream, pair }])
  }
  return pairs
}

/**
 * Returns the RTP streams of one leg. RTP has no Call-ID, so a stream belongs to the legs that negotiated one of its
 * addresses. If none did, it belongs to the legs in which both of its hosts take part.
 */
const filterStreamsOfLeg = (
  callId: string,
  messages: readonly SipMessage[],
  media: readonly RtpStream[],
  columnOf: (socket: SocketAddress) => number | undefined,
): RtpStream[] => {
  const legsByAddress = groupLegsByMediaAddress(messages)
  return media.filter(({ source, target }) => {
    const sockets = [source, target]
    const negotiatedCallIds = sockets.flatMap((socket) => [...(legsByAddress.get(socketKey(socket)) ?? [])])
    return negotiatedCallIds.length > 0
      ? negotiatedCallIds.includes(callId)
      : sockets.every((socket) => columnOf(socket) !== undefined)
  })
}

const createMediaRow = (
  streams: RtpStream[],
  columnOf: (socket: SocketAddress) => number | undefined,
  codecNames: CodecNames,
  startTime: number,
  lastColumn: number,
): MediaRow => {
  const [firstStream] = streams as [RtpStream]
  // spans the columns of sender and receiver, or all columns if one of them has no column
  const columns = [columnOf(firstStream.source), columnOf(firstStream.target)]
  const [first, second] =
    columns[0] === undefined || columns[1] === undefined || columns[0] === columns[1] ? [0, lastColumn] : columns
  return {
    kind: 'media',
    streams,
    codec: getCodecName(firstStream, codecNames),
    fromColumn: Math.min(first!, second!),
    toColumn: Math.max(first!, second!),
    offsetUs: firstStream.startedAtUs - startTime,
    lengthUs: Math.max(...streams.map((stream) => stream.endedAtUs)) - firstStream.startedAtUs,
  }
}

interface LadderContext extends LadderOptions {
  columnOf: (socket: SocketAddress) => number | undefined
  startTime: number
  retransmissions: ReadonlySet<SipMessage>
  /** By original message. */
  retransmissionCounts: ReadonlyMap<SipMessage, number>
}

const createMessageRow = (
  message: SipMessage,
  previousTime: number,
  {
    columnOf,
    startTime,
    retransmissions,
    retransmissionCounts,
    showsRetransmissions: showRetransmissions,
  }: LadderContext,
): MessageRow => {
  const { status, reason, text, method } = message
  const headerText = text.split(/\r?\n\r?\n/, 1)[0]!
  return {
    kind: 'message',
    message,
    fromColumn: columnOf(message.source) ?? 0,
    toColumn: columnOf(message.target) ?? 0,
    offsetUs: message.time - startTime,
    sincePreviousUs: message.time - previousTime,
    tone: getTone(status),
    title: status === undefined ? method : `${status} ${reason ?? ''}`.trim(),
    hasSession: sessionHeader.test(headerText) && text.length > headerText.length + 4,
    hasCredentials: authorizationHeader.test(headerText),
    isChallenge: status === 401 || status === 407,
    isRetransmission: retransmissions.has(message),
    retransmissionCount: showRetransmissions ? 0 : (retransmissionCounts.get(message) ?? 0),
  }
}

const createMessageRows = (messages: readonly SipMessage[], context: LadderContext): MessageRow[] => {
  const visibleMessages = messages.filter(
    (message) => context.showsRetransmissions || !context.retransmissions.has(message),
  )
  return visibleMessages.map((message, index) =>
    createMessageRow(message, visibleMessages[index - 1]?.time ?? message.time, context),
  )
}

/** Converts a capture to a ladder: its hosts as columns, and its messages and media as rows. */
export const createLadder = (capture: Pick<Capture, 'messages' | 'media'>, options: LadderOptions = {}): Ladder => {
  const { media } = capture
  const messages = removeDuplicates(capture.messages)
  const { retransmissions, retransmissionCounts } = findRetransmissions(messages)
  const legMessages =
    options.callId === undefined ? messages : messages.filter(({ callId }) => callId === options.callId)
  const { participants, participantCount, columnOf } = createColumns(legMessages)
  const drawnMessages = legMessages.filter(
    ({ source, target }) => columnOf(source) !== undefined && columnOf(target) !== undefined,
  )
  const startTime = Math.min(messages[0]?.time ?? Infinity, media[0]?.startedAtUs ?? Infinity)
  const codecNames = collectCodecNames(messages)
  const streamPairs = pairStreams(
    options.callId === undefined ? media : filterStreamsOfLeg(options.callId, messages, media, columnOf),
  )
  const lastColumn = Math.max(0, participants.length - 1)
  const rows: LadderRow[] = [
    ...createMessageRows(drawnMessages, { ...options, columnOf, startTime, retransmissions, retransmissionCounts }),
    ...streamPairs.map((streams) => createMediaRow(streams, columnOf, codecNames, startTime, lastColumn)),
  ]
  rows.sort((a, b) => a.offsetUs - b.offsetUs)
  return {
    participants,
    rows,
    legs: collectLegs(messages),
    retransmissionCount: retransmissions.size,
    participantCount,
    hiddenMessageCount: legMessages.length - drawnMessages.length,
  }
}

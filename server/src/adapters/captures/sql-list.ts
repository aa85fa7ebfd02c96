import { findHeaderValue, splitSipMessage, parseSipMessage } from '@trunkline/contract/calls/sip-message'
import type { CapturedDialogue, CapturePage } from '@trunkline/contract/shapes/capture'
import type { Database } from '../../db/database'
import type { CaptureListOptions } from '../../ports/captures'
import { packetsIn, readPacket } from './pcap'

/** Dialogues per page. */
const pageSize = 50
/** Rows per statement and per request: a search must not block a server that others use too. */
const batchSize = 100
const maxRows = 4000
const maxBytes = 32 * 1024 * 1024

const formatAddress = ({ address, port }: { address: string; port: number }) =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`

/** The user and host of a From or To header: `"Ann" <sip:ann@acme.example.com>;tag=1` yields ann@acme.example.com. */
const uriOf = (header: string | undefined): string | null =>
  /\b(?:sips?|tel):([^;>?\s]+)/i.exec(header ?? '')?.[1] ?? null

const readMessage = (record: Buffer) => {
  const { payload, source, target, seconds, microseconds } = readPacket(record)
  const message = parseSipMessage(payload)
  return message && { ...message, source, target, time: seconds * 1000 + Math.floor(microseconds / 1000) }
}

const messageContains = (record: Buffer, lowerText: string): boolean => {
  const message = readMessage(record)
  if (!message) return false
  const parts = splitSipMessage(message.text)
  return [
    message.status === undefined ? parts.startLine : '',
    findHeaderValue(parts, 'from') ?? '',
    findHeaderValue(parts, 'to') ?? '',
    message.callId,
    formatAddress(message.source),
    formatAddress(message.target),
  ].some((part) => part.toLowerCase().includes(lowerText))
}

/** The list entry of a dialogue; undefined if none of its messages can be parsed. */
const summaryOf = (callId: string, packets: readonly Buffer[]): CapturedDialogue | undefined => {
  const messages = packets.flatMap((packet) => readMessage(packet) ?? [])
  const first = messages.find(({ status }) => status === undefined) ?? messages[0]
  if (!first) return undefined
  const parts = splitSipMessage(first.text)
  const response = messages.findLast(({ method, status }) => method === first.method && status !== undefined)
  return {
    call_id: callId,
    method: first.method,
    from: uriOf(findHeaderValue(parts, 'from')),
    to: uriOf(findHeaderValue(parts, 'to')),
    sip_status: response?.status ?? null,
    reason: response?.reason ?? null,
    messages: messages.length,
    first_at: new Date(first.time).toISOString(),
    source: formatAddress(first.source),
    target: formatAddress(first.target),
  }
}

interface Store {
  db: Database['db']
  /** Start of the retention period, in seconds since 1970. */
  oldestAt: number
  find: (callId: string, registration?: number) => Promise<Buffer[]>
}

const readRows = ({ db }: Store, options: CaptureListOptions, beforeSid: string | null) =>
  db
    .selectFrom('trunkline_capture_parts')
    .select(['part_sid', 'call_id', 'received_at'])
    .$if(options.text !== undefined, (query) => query.select('packets'))
    .$if(beforeSid !== null, (query) => query.where('part_sid', '<', beforeSid!))
    .$if(options.dialogue !== undefined, (query) => query.where('registration', '=', registrationOf(options)!))
    .orderBy('part_sid', 'desc')
    .limit(batchSize)
    .execute()

type Row = Awaited<ReturnType<typeof readRows>>[number]

const matchesText = ({ packets }: Row, text: string | undefined): boolean =>
  text === undefined || packetsIn([packets!]).some((packet) => messageContains(packet, text.toLowerCase()))

const registrationOf = ({ dialogue }: CaptureListOptions): number | undefined =>
  dialogue && (dialogue === 'register' ? 1 : 0)

/** A complete Call-ID is looked up in an index, so it is found at any age. */
const exactCallId = async (store: Store, options: CaptureListOptions): Promise<string[]> => {
  const { text, beforeSid } = options
  if (text === undefined || beforeSid !== undefined) return []
  return (await store.find(text, registrationOf(options))).length > 0 ? [text] : []
}

/** The Call-IDs of one page. Rows are read newest first until the page is full or the search limit is reached. */
const findCallIds = async (store: Store, options: CaptureListOptions, callIds: Set<string>) => {
  let next = options.beforeSid ?? null
  let rowCount = 0
  let byteCount = 0
  while (rowCount < maxRows && byteCount < maxBytes) {
    const rows = await readRows(store, options, next)
    for (const row of rows) {
      if (Number(row.received_at) < store.oldestAt) return { callIds, next: null }
      if (!callIds.has(row.call_id) && matchesText(row, options.text)) {
        if (callIds.size === pageSize) return { callIds, next }
        callIds.add(row.call_id)
      }
      next = row.part_sid
      rowCount += 1
      byteCount += row.packets?.length ?? 0
    }
    if (rows.length < batchSize) return { callIds, next: null }
  }
  return { callIds, next }
}

/** Lists captured dialogues, newest first. */
export const listCaptures = async (store: Store, options: CaptureListOptions): Promise<CapturePage> => {
  const exactMatches = await exactCallId(store, options)
  const { callIds, next } = await findCallIds(store, options, new Set(exactMatches))
  const data: CapturedDialogue[] = []
  for (const callId of callIds) {
    const summary = summaryOf(callId, await store.find(callId))
    if (summary) data.push(summary)
  }
  return { data: data.toSorted((a, b) => b.first_at.localeCompare(a.first_at)), next }
}

import { headerValue, splitSipMessage, parseSipMessage } from '@trunkline/contract/calls/sip-message'
import type { CapturedDialogue, CapturePage } from '@trunkline/contract/shapes/capture'
import type { Database } from '../../db/database'
import type { CaptureListOptions } from '../../ports/captures'
import { packetsIn, readPacket } from './pcap'

/** Dialogues of one page. */
const pageSize = 50
/** Rows read by one statement, and by one request: a search must not hold up a server that others use too. */
const rowsAtOnce = 100
const maxRows = 4000
const maxBytes = 32 * 1024 * 1024

const placeOf = ({ address, port }: { address: string; port: number }) =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`

/** The user and the host of a From or To header: `"Ann" <sip:ann@acme.example.com>;tag=1` is ann@acme.example.com. */
const uriOf = (header: string | undefined): string | null =>
  /\b(?:sips?|tel):([^;>?\s]+)/i.exec(header ?? '')?.[1] ?? null

const readMessage = (record: Buffer) => {
  const { payload, source, target, seconds, microseconds } = readPacket(record)
  const facts = parseSipMessage(payload)
  return facts && { ...facts, source, target, time: seconds * 1000 + Math.floor(microseconds / 1000) }
}

const hasText = (record: Buffer, wanted: string): boolean => {
  const message = readMessage(record)
  if (!message) return false
  const parts = splitSipMessage(message.text)
  return [
    message.status === undefined ? parts.startLine : '',
    headerValue(parts, 'from') ?? '',
    headerValue(parts, 'to') ?? '',
    message.callId,
    placeOf(message.source),
    placeOf(message.target),
  ].some((each) => each.toLowerCase().includes(wanted))
}

/** What the list shows of a dialogue; undefined when none of its messages can be read. */
const summaryOf = (callId: string, packets: readonly Buffer[]): CapturedDialogue | undefined => {
  const messages = packets.flatMap((packet) => readMessage(packet) ?? [])
  const first = messages.find(({ status }) => status === undefined) ?? messages[0]
  if (!first) return undefined
  const parts = splitSipMessage(first.text)
  const answer = messages.findLast(({ method, status }) => method === first.method && status !== undefined)
  return {
    call_id: callId,
    method: first.method,
    from: uriOf(headerValue(parts, 'from')),
    to: uriOf(headerValue(parts, 'to')),
    sip_status: answer?.status ?? null,
    reason: answer?.reason ?? null,
    messages: messages.length,
    first_at: new Date(first.time).toISOString(),
    source: placeOf(first.source),
    target: placeOf(first.target),
  }
}

interface Store {
  db: Database['db']
  /** Seconds since 1970: older rows are not shown. */
  oldestAt: number
  find: (callId: string, registration?: number) => Promise<Buffer[]>
}

const readRows = ({ db }: Store, look: CaptureListOptions, before: string | null) =>
  db
    .selectFrom('trunkline_capture_parts')
    .select(['part_sid', 'call_id', 'received_at'])
    .$if(look.text !== undefined, (query) => query.select('packets'))
    .$if(before !== null, (query) => query.where('part_sid', '<', before!))
    .$if(look.dialogue !== undefined, (query) => query.where('registration', '=', registrationOf(look)!))
    .orderBy('part_sid', 'desc')
    .limit(rowsAtOnce)
    .execute()

type Row = Awaited<ReturnType<typeof readRows>>[number]

const isWanted = ({ packets }: Row, text: string | undefined): boolean =>
  text === undefined || packetsIn([packets!]).some((packet) => hasText(packet, text.toLowerCase()))

const registrationOf = ({ dialogue }: CaptureListOptions): number | undefined =>
  dialogue && (dialogue === 'register' ? 1 : 0)

/** A whole Call-ID has an index, and is found however old it is. */
const exactCallId = async (store: Store, look: CaptureListOptions): Promise<string[]> => {
  const { text, before } = look
  if (text === undefined || before !== undefined) return []
  return (await store.find(text, registrationOf(look))).length > 0 ? [text] : []
}

/** The Call-IDs of one page. Rows are read backwards until the page is full or enough has been searched. */
const findCallIds = async (store: Store, look: CaptureListOptions, callIds: Set<string>) => {
  let next = look.before ?? null
  let rowCount = 0
  let byteCount = 0
  while (rowCount < maxRows && byteCount < maxBytes) {
    const rows = await readRows(store, look, next)
    for (const row of rows) {
      if (Number(row.received_at) < store.oldestAt) return { callIds, next: null }
      if (!callIds.has(row.call_id) && isWanted(row, look.text)) {
        if (callIds.size === pageSize) return { callIds, next }
        callIds.add(row.call_id)
      }
      next = row.part_sid
      rowCount += 1
      byteCount += row.packets?.length ?? 0
    }
    if (rows.length < rowsAtOnce) return { callIds, next: null }
  }
  return { callIds, next }
}

/** Captured dialogues, the newest first. */
export const listCaptures = async (store: Store, look: CaptureListOptions): Promise<CapturePage> => {
  const exact = await exactCallId(store, look)
  const { callIds, next } = await findCallIds(store, look, new Set(exact))
  const data: CapturedDialogue[] = []
  for (const callId of callIds) {
    const summary = summaryOf(callId, await store.find(callId))
    if (summary) data.push(summary)
  }
  return { data: data.toSorted((a, b) => b.first_at.localeCompare(a.first_at)), next }
}

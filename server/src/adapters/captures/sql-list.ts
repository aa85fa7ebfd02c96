import { findHeaderValue, splitSipMessage, parseSipMessage } from '@trunkline/contract/calls/sip-message'
import type { CapturedDialog, CapturePage } from '@trunkline/contract/shapes/capture'
import type { Database } from '../../db/database'
import type { CaptureListOptions } from '../../ports/captures'
import { splitPacketRecords, parsePacketRecord } from './pcap'

/** SIP dialogs per page. */
const pageSize = 50
/** Rows per statement. */
const batchSize = 100
/** Limits of the search for one page, so that it does not block other requests for long. */
const maxRows = 4000
const maxBytes = 32 * 1024 * 1024

const formatAddress = ({ address, port }: { address: string; port: number }) =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`

/** Extracts the user and host of a From or To header: `"Ann" <sip:ann@acme.example.com>;tag=1` yields ann@acme.example.com. */
const extractUri = (header: string | undefined): string | null =>
  /\b(?:sips?|tel):([^;>?\s]+)/i.exec(header ?? '')?.[1] ?? null

const parseMessage = (record: Buffer) => {
  const { payload, source, target, seconds, microseconds } = parsePacketRecord(record)
  const message = parseSipMessage(payload)
  return message && { ...message, source, target, timeMs: seconds * 1000 + Math.floor(microseconds / 1000) }
}

const messageContains = (record: Buffer, lowerText: string): boolean => {
  const message = parseMessage(record)
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

/** Builds the list entry of a SIP dialog; undefined if none of its messages can be parsed. */
const summarizeDialog = (callId: string, records: readonly Buffer[]): CapturedDialog | undefined => {
  const messages = records.flatMap((record) => parseMessage(record) ?? [])
  const firstMessage = messages.find(({ status }) => status === undefined) ?? messages[0]
  if (!firstMessage) return undefined
  const parts = splitSipMessage(firstMessage.text)
  const response = messages.findLast(({ method, status }) => method === firstMessage.method && status !== undefined)
  return {
    call_id: callId,
    method: firstMessage.method,
    from: extractUri(findHeaderValue(parts, 'from')),
    to: extractUri(findHeaderValue(parts, 'to')),
    sip_status: response?.status ?? null,
    reason: response?.reason ?? null,
    messages: messages.length,
    first_at: new Date(firstMessage.timeMs).toISOString(),
    source: formatAddress(firstMessage.source),
    target: formatAddress(firstMessage.target),
  }
}

interface CaptureTable {
  db: Database['db']
  /** Start of the retention period, in seconds since 1970. */
  oldestAtSeconds: number
  /** Reads the pcap records of a Call-ID. `registration`: 1 for registrations only, 0 for calls only. */
  findRecords: (callId: string, registration?: 0 | 1) => Promise<Buffer[]>
}

/** The value of the column `registration` for a dialog type. */
const toRegistrationColumn = ({ dialogType }: CaptureListOptions): 0 | 1 | undefined =>
  dialogType && (dialogType === 'register' ? 1 : 0)

const readRows = ({ db }: CaptureTable, options: CaptureListOptions, beforeSid: string | null) =>
  db
    .selectFrom('trunkline_capture_parts')
    .select(['part_sid', 'call_id', 'received_at'])
    .$if(options.text !== undefined, (query) => query.select('packets'))
    .$if(beforeSid !== null, (query) => query.where('part_sid', '<', beforeSid!))
    .$if(options.dialogType !== undefined, (query) => query.where('registration', '=', toRegistrationColumn(options)!))
    .orderBy('part_sid', 'desc')
    .limit(batchSize)
    .execute()

type PartRow = Awaited<ReturnType<typeof readRows>>[number]

const matchesText = ({ packets }: PartRow, text: string | undefined): boolean =>
  text === undefined || splitPacketRecords([packets!]).some((record) => messageContains(record, text.toLowerCase()))

/** Finds a complete Call-ID with an index, so that it is also found beyond the search limit. */
const findExactCallId = async (table: CaptureTable, options: CaptureListOptions): Promise<string[]> => {
  const { text, beforeSid } = options
  if (text === undefined || beforeSid !== undefined) return []
  return (await table.findRecords(text, toRegistrationColumn(options))).length > 0 ? [text] : []
}

/**
 * Adds the Call-IDs of one page to `callIds`. Reads rows, newest first, until the page is full or the search limit is reached.
 * `next` is the row after which the next page continues; null on the last page.
 */
const findCallIds = async (table: CaptureTable, options: CaptureListOptions, callIds: Set<string>) => {
  let next = options.beforeSid ?? null
  let rowCount = 0
  let byteCount = 0
  while (rowCount < maxRows && byteCount < maxBytes) {
    const rows = await readRows(table, options, next)
    for (const row of rows) {
      if (Number(row.received_at) < table.oldestAtSeconds) return { callIds, next: null }
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

/** Lists captured SIP dialogs, newest first. */
export const listCaptures = async (table: CaptureTable, options: CaptureListOptions): Promise<CapturePage> => {
  const exactMatches = await findExactCallId(table, options)
  const { callIds, next } = await findCallIds(table, options, new Set(exactMatches))
  const dialogs: CapturedDialog[] = []
  for (const callId of callIds) {
    const summary = summarizeDialog(callId, await table.findRecords(callId))
    if (summary) dialogs.push(summary)
  }
  return { data: dialogs.toSorted((a, b) => b.first_at.localeCompare(a.first_at)), next }
}

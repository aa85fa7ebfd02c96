import type { Insertable } from 'kysely'
import type { Database } from '../../db/database'
import type { Tables } from '../../db/schema'
import { withTransaction } from '../../db/transaction'
import type { CapturedMessage, CaptureStore, DialogType } from '../../ports/captures'
import { uuidAt } from '../../secrets/ids'
import { digestOf } from '../call-history/sql/time-ids'
import { pruneParts } from '../sql/prune-parts'
import { toPortError } from '../sql/port-errors'
import { splitBySize } from '../sql/batches'
import { buildPacketRecord, splitPacketRecords, buildPcapFile, parsePacketRecord } from './pcap'
import { listCaptures } from './sql-list'

type PartRow = Insertable<Tables['trunkline_capture_parts']>

const mebibyte = 1024 * 1024
/** Engines refuse statements that are too long. */
const statementLimits = { maxRows: 200, maxBytes: 2 * mebibyte }
/** Limits on reading one SIP dialog, which protect the server's memory. */
const maxReadParts = 5000
const maxReadBytes = 32 * mebibyte

const secondsPerDay = 24 * 60 * 60

/** Builds one row for each SIP dialog, with the pcap records of all its messages. */
const toRows = (messages: readonly CapturedMessage[], now: number): PartRow[] => {
  const dialogs = new Map<string, { callId: string; dialogType: DialogType; records: Buffer[] }>()
  for (const message of messages) {
    const { callId, dialogType } = message
    const key = `${dialogType} ${callId}`
    const dialog = dialogs.get(key) ?? { callId, dialogType, records: [] }
    dialog.records.push(buildPacketRecord(message))
    dialogs.set(key, dialog)
  }
  return [...dialogs.values()].map(({ callId, dialogType, records }) => ({
    part_sid: uuidAt(now),
    call_id: callId,
    call_id_digest: digestOf(callId),
    registration: dialogType === 'register' ? 1 : 0,
    received_at: Math.floor(now / 1000),
    packets: Buffer.concat(records),
  }))
}

/** Converts a pcap record to a message in the format of Homer's API. */
const toHomerMessage = (callId: string, record: Buffer) => {
  const { seconds, microseconds, source, target, payload } = parsePacketRecord(record)
  const raw = payload.toString()
  return {
    sid: callId,
    method: /^SIP\/2\.0 (\d{3})|^(\w+)/.exec(raw)?.slice(1).find(Boolean) ?? '',
    create_date: seconds * 1000 + Math.floor(microseconds / 1000),
    timeSeconds: seconds,
    timeUseconds: microseconds,
    srcIp: source.address,
    srcPort: source.port,
    dstIp: target.address,
    dstPort: target.port,
    raw,
  }
}

/** Creates a store of captured messages in a table of our own. `retentionDays`: 0 means unlimited. */
export const createSqlCaptureStore = (
  { db, checkpointWal }: Pick<Database, 'db' | 'checkpointWal'>,
  retentionDays: number,
  clock: () => number = Date.now,
): CaptureStore => {
  /** Returns the start of the retention period in seconds since 1970. It hides expired captures even before they are pruned. */
  const getOldestAtSeconds = () =>
    retentionDays === 0 ? 0 : Math.floor(clock() / 1000) - retentionDays * secondsPerDay

  /** Reads the pcap records of a Call-ID, sorted by time. `registration`: 1 for registrations only, 0 for calls only. */
  const findRecords = async (callId: string, registration?: 0 | 1): Promise<Buffer[]> => {
    const rows = await db
      .selectFrom('trunkline_capture_parts')
      .select(['call_id', 'packets'])
      .where('call_id_digest', '=', digestOf(callId))
      .where('received_at', '>=', getOldestAtSeconds())
      .$if(registration !== undefined, (query) => query.where('registration', '=', registration!))
      .orderBy('part_sid')
      .limit(maxReadParts)
      .execute()
    let remainingBytes = maxReadBytes
    const parts: Buffer[] = []
    for (const { call_id, packets } of rows) {
      // Another Call-ID may have the same digest.
      if (call_id !== callId) continue
      remainingBytes -= packets.length
      if (remainingBytes < 0) break
      parts.push(packets)
    }
    return splitPacketRecords(parts)
  }

  return {
    async storeMessages(messages) {
      const batches = splitBySize(toRows(messages, clock()), ({ packets }) => packets.length, statementLimits)
      try {
        await withTransaction(db, async (transaction) => {
          for (const values of batches) await transaction.insertInto('trunkline_capture_parts').values(values).execute()
        })
      } catch (error) {
        throw toPortError(error)
      }
    },

    async findMessages(callId) {
      const records = await findRecords(callId)
      return { total: records.length, data: { messages: records.map((record) => toHomerMessage(callId, record)) } }
    },

    async findPcap(callId, dialogType) {
      const records = await findRecords(callId, dialogType === 'register' ? 1 : 0)
      return records.length > 0 ? buildPcapFile(records) : undefined
    },

    listDialogs: (options) => listCaptures({ db, oldestAtSeconds: getOldestAtSeconds(), findRecords }, options),

    async prune(signal) {
      if (retentionDays > 0)
        await pruneParts({ db, checkpointWal }, 'trunkline_capture_parts', getOldestAtSeconds(), signal)
    },
  }
}

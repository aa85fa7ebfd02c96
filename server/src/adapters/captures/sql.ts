import type { Insertable } from 'kysely'
import type { Database } from '../../db/database'
import type { Tables } from '../../db/schema'
import { withTransaction } from '../../db/transaction'
import type { CapturedMessage, CaptureStore } from '../../ports/captures'
import { uuidAt } from '../../secrets/ids'
import { digestOf } from '../call-history/sql/time-ids'
import { pruneParts } from '../sql/prune-parts'
import { toPortError } from '../sql/port-errors'
import { splitBatches } from '../sql/batches'
import { packetOf, packetsIn, pcapOf, readPacket } from './pcap'
import { listCaptures } from './sql-list'

type Row = Insertable<Tables['trunkline_capture_parts']>

const mebibyte = 1024 * 1024
/** Engines refuse statements that are too long. */
const statementLimits = { rows: 200, bytes: 2 * mebibyte }
/** Limits on reading one dialogue, which protect the server's memory. */
const maxReadParts = 5000
const maxReadBytes = 32 * mebibyte

const secondsPerDay = 24 * 60 * 60

/** One row for each dialogue, with the packets of all its messages. */
const rowsOf = (messages: readonly CapturedMessage[], now: number): Row[] => {
  const dialogues = new Map<string, { first: CapturedMessage; packets: Buffer[] }>()
  for (const message of messages) {
    const key = `${message.dialogue} ${message.callId}`
    const dialogue = dialogues.get(key) ?? { first: message, packets: [] }
    dialogue.packets.push(packetOf(message))
    dialogues.set(key, dialogue)
  }
  return [...dialogues.values()].map(({ first: { callId, dialogue }, packets }) => ({
    part_sid: uuidAt(now),
    call_id: callId,
    call_id_digest: digestOf(callId),
    registration: dialogue === 'register' ? 1 : 0,
    received_at: Math.floor(now / 1000),
    packets: Buffer.concat(packets),
  }))
}

/** A message in the format of Homer's API. */
const toHomerMessage = (callId: string, record: Buffer) => {
  const { seconds, microseconds, source, target, payload } = readPacket(record)
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

/** Stores captured messages in a table of our own. `days`: retention period; 0: unlimited. */
export const sqlCaptures = (
  { db }: Pick<Database, 'db'>,
  days: number,
  clock: () => number = Date.now,
): CaptureStore => {
  /** Hides expired captures even before they are pruned. Seconds since 1970. */
  const oldestAt = () => (days === 0 ? 0 : Math.floor(clock() / 1000) - days * secondsPerDay)

  const find = async (callId: string, registration?: number): Promise<Buffer[]> => {
    const rows = await db
      .selectFrom('trunkline_capture_parts')
      .select(['call_id', 'packets'])
      .where('call_id_digest', '=', digestOf(callId))
      .where('received_at', '>=', oldestAt())
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
    return packetsIn(parts)
  }

  return {
    async add(messages) {
      const statements = splitBatches(rowsOf(messages, clock()), ({ packets }) => packets.length, statementLimits)
      try {
        await withTransaction(db, async (transaction) => {
          for (const values of statements)
            await transaction.insertInto('trunkline_capture_parts').values(values).execute()
        })
      } catch (error) {
        throw toPortError(error)
      }
    },

    async trace(callId) {
      const packets = await find(callId)
      return { total: packets.length, data: { messages: packets.map((packet) => toHomerMessage(callId, packet)) } }
    },

    async pcap(callId, dialogue) {
      const packets = await find(callId, dialogue === 'register' ? 1 : 0)
      return packets.length > 0 ? pcapOf(packets) : undefined
    },

    list: (options) => listCaptures({ db, oldestAt: oldestAt(), find }, options),

    async prune(signal) {
      if (days > 0) await pruneParts(db, 'trunkline_capture_parts', oldestAt(), signal)
    },
  }
}

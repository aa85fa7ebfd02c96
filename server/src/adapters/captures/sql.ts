import type { Insertable } from 'kysely'
import type { Database } from '../../db/database'
import type { Tables } from '../../db/schema'
import { withTransaction } from '../../db/transaction'
import type { CapturedMessage, CaptureStore } from '../../ports/captures'
import { uuidAt } from '../../secrets/ids'
import { digestOf } from '../call-history/sql/time-ids'
import { pruneParts } from '../sql/prune'
import { portFault } from '../sql/errors'
import { statementsOf } from '../sql/batches'
import { packetOf, packetsIn, pcapOf, readPacket } from './pcap'
import { listCaptures } from './sql-list'

type Row = Insertable<Tables['trunkline_capture_parts']>

const mebibyte = 1024 * 1024
/** Rows and bytes of one statement: engines refuse statements that are too long. */
const rowsAtOnce = 200
const bytesAtOnce = 2 * mebibyte
/** Of one dialogue no more is read than fits into the memory of a server that others use too. */
const partsRead = 5000
const bytesRead = 32 * mebibyte

/** Seconds. */
const dayLength = 24 * 60 * 60

/** One row for each dialogue, with the packets of all its messages. */
const rowsOf = (messages: readonly CapturedMessage[], now: number): Row[] => {
  const dialogues = new Map<string, { first: CapturedMessage; packets: Buffer[] }>()
  for (const message of messages) {
    const key = `${message.dialogue} ${message.callId}`
    const known = dialogues.get(key) ?? { first: message, packets: [] }
    known.packets.push(packetOf(message))
    dialogues.set(key, known)
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

/** A message under the names by which Homer tells of it. */
const told = (callId: string, record: Buffer) => {
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

/** Captured messages in a table of our own. `days`: how long they are kept; 0: for ever. */
export const sqlCaptures = (
  { db }: Pick<Database, 'db'>,
  days: number,
  clock: () => number = Date.now,
): CaptureStore => {
  /** Nobody sees what is older, whether it has been deleted yet or not. */
  const oldest = () => (days === 0 ? 0 : Math.floor(clock() / 1000) - days * dayLength)

  const find = async (callId: string, registration?: number): Promise<Buffer[]> => {
    const rows = await db
      .selectFrom('trunkline_capture_parts')
      .select(['call_id', 'packets'])
      .where('call_id_digest', '=', digestOf(callId))
      .where('received_at', '>=', oldest())
      .$if(registration !== undefined, (query) => query.where('registration', '=', registration!))
      .orderBy('part_sid')
      .limit(partsRead)
      .execute()
    let left = bytesRead
    const parts: Buffer[] = []
    for (const { call_id, packets } of rows) {
      // another name may have the same digest
      if (call_id !== callId) continue
      left -= packets.length
      if (left < 0) break
      parts.push(packets)
    }
    return packetsIn(parts)
  }

  return {
    async keep(messages) {
      const statements = statementsOf(rowsOf(messages, clock()), ({ packets }) => packets.length, {
        rows: rowsAtOnce,
        bytes: bytesAtOnce,
      })
      try {
        await withTransaction(db, async (transaction) => {
          for (const values of statements)
            await transaction.insertInto('trunkline_capture_parts').values(values).execute()
        })
      } catch (error) {
        throw portFault(error)
      }
    },

    async trace(callId) {
      const packets = await find(callId)
      return { total: packets.length, data: { messages: packets.map((packet) => told(callId, packet)) } }
    },

    async pcap(callId, dialogue) {
      const packets = await find(callId, dialogue === 'register' ? 1 : 0)
      return packets.length > 0 ? pcapOf(packets) : undefined
    },

    list: (look) => listCaptures({ db, oldest: oldest(), find }, look),

    async prune(stopped) {
      if (days > 0) await pruneParts(db, 'trunkline_capture_parts', oldest(), stopped)
    },
  }
}

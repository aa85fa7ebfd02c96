import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Insertable } from 'kysely'
import type { ResourceSpans } from '@trunkline/contract/calls/otlp-trace'
import type { Database } from '../../db/database'
import type { Tables } from '../../db/schema'
import { withTransaction } from '../../db/transaction'
import type { NewTracePart, TraceStore } from '../../ports/traces'
import { uuidAt } from '../../secrets/ids'
import { pruneParts } from '../sql/prune-parts'
import { toPortError } from '../sql/port-errors'
import { splitBatches } from '../sql/batches'
import { groupCommit } from '../sql/group-commit'

type Row = Insertable<Tables['trunkline_trace_parts']>

const mebibyte = 1024 * 1024
const maxTransactionBytes = 8 * mebibyte
/** Engines refuse statements that are too long. */
const statementLimits = { rows: 200, bytes: 2 * mebibyte }
/** Compressed bytes that may wait to be written. Further requests are refused, and their senders retry. */
const maxQueuedBytes = 64 * mebibyte
/** Limits on reading one trace, which protect the server's memory. */
const maxReadBytes = 64 * mebibyte
const maxReadParts = 5000

const secondsPerDay = 24 * 60 * 60

const totalBytes = (rows: readonly Row[]) => rows.reduce((sum, { spans }) => sum + spans.length, 0)

const rowOf = ({ trace_id, writer, spans }: NewTracePart, now: number): Row => ({
  part_sid: uuidAt(now),
  trace_id,
  service_provider_sid: writer.service_provider_sid,
  account_sid: writer.account_sid,
  received_at: Math.floor(now / 1000),
  spans: deflateRawSync(JSON.stringify(spans), { level: 3 }),
})

/** Parts that are compressed without a pause. A request may have tens of thousands, and other requests run in between. */
const compressBatchSize = 250

const rowsOf = async (parts: readonly NewTracePart[], now: number): Promise<Row[]> => {
  const rows: Row[] = []
  for (let start = 0; start < parts.length; start += compressBatchSize) {
    if (start > 0) await yieldToEventLoop()
    rows.push(...parts.slice(start, start + compressBatchSize).map((part) => rowOf(part, now)))
  }
  return rows
}

/** Stores traces in tables of our own. `days`: retention period; 0: unlimited. */
export const sqlTraces = ({ db }: Pick<Database, 'db'>, days: number, clock: () => number = Date.now): TraceStore => {
  /** Hides expired traces even before they are pruned. Seconds since 1970. */
  const oldestAt = () => (days === 0 ? 0 : Math.floor(clock() / 1000) - days * secondsPerDay)

  const write = groupCommit({
    async commit(batches: Row[][]) {
      try {
        await withTransaction(db, async (transaction) => {
          for (const values of splitBatches(batches.flat(), ({ spans }) => spans.length, statementLimits))
            await transaction.insertInto('trunkline_trace_parts').values(values).execute()
        })
      } catch (error) {
        throw toPortError(error)
      }
    },
    sizeOf: totalBytes,
    maxBatchSize: maxTransactionBytes,
    maxQueueSize: maxQueuedBytes,
    overloadMessage: 'Spans arrive faster than they can be stored. Send them again later.',
  })

  return {
    async add(parts) {
      const rows = await rowsOf(parts, clock())
      if (rows.length > 0) await write(rows)
    },

    async find(traceId) {
      const rows = await db
        .selectFrom('trunkline_trace_parts')
        .select(['service_provider_sid', 'account_sid', 'spans'])
        .where('trace_id', '=', traceId)
        .where('received_at', '>=', oldestAt())
        .orderBy('part_sid')
        .limit(maxReadParts)
        .execute()
      let remainingBytes = maxReadBytes
      const parts = []
      for (const { service_provider_sid, account_sid, spans } of rows) {
        const text = inflateRawSync(spans)
        remainingBytes -= text.length
        if (remainingBytes < 0) break
        const writer = { service_provider_sid, account_sid }
        parts.push({ writer, spans: JSON.parse(text.toString()) as ResourceSpans[] })
      }
      return parts
    },

    async prune(signal) {
      if (days > 0) await pruneParts(db, 'trunkline_trace_parts', oldestAt(), signal)
    },
  }
}

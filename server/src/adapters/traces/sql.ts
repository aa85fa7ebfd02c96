import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sql, type Insertable } from 'kysely'
import { listScopeSpans, type ResourceSpans, type WireSpan } from '@trunkline/contract/calls/otlp-trace'
import type { Database } from '../../db/database'
import type { Connection } from '../../db/repository-options'
import type { Tables } from '../../db/schema'
import { withTransaction } from '../../db/transaction'
import type { NewTracePart, TraceStore } from '../../ports/traces'
import { uuidAt } from '../../secrets/ids'
import { pruneParts } from '../sql/prune-parts'
import { toPortError } from '../sql/port-errors'
import { splitBySize } from '../sql/batches'
import { createGroupCommit } from '../sql/group-commit'

type PartRow = Insertable<Tables['trunkline_trace_parts']>

const mebibyte = 1024 * 1024
const maxTransactionBytes = 8 * mebibyte
/** Engines refuse statements that are too long. */
const statementLimits = { maxRows: 200, maxBytes: 2 * mebibyte }
/** Maximum compressed bytes that wait to be written. Further requests are refused, and their senders retry. */
const maxQueuedBytes = 64 * mebibyte
/** Limits on reading one trace, which protect the server's memory. */
const maxReadBytes = 64 * mebibyte
const maxReadParts = 5000

const secondsPerDay = 24 * 60 * 60

const sumBytes = (rows: readonly PartRow[]) => rows.reduce((sum, { spans }) => sum + spans.length, 0)

const maxTimeMs = 2 ** 48 - 1

/** The earliest start of the spans in ms since 1970. Traces can contain values of any type. */
const findStartMs = (spans: readonly WireSpan[]): number => {
  const startsMs = spans
    .map(({ startTimeUnixNano }) => Math.floor(Number(startTimeUnixNano) / 1e6))
    .filter((startMs) => startMs >= 0 && startMs <= maxTimeMs)
  return startsMs.reduce((earliestMs, startMs) => Math.min(earliestMs, startMs), startsMs[0] ?? 0)
}

/**
 * The SID of a part follows from its writer and span IDs, so that a repeated export has the same SID and is not stored again.
 * It starts with the time of the spans, so that rows are added at the end of the index.
 */
const computePartSid = ({ trace_id, writer, spans }: NewTracePart): string => {
  const wireSpans = spans.flatMap(listScopeSpans).flatMap(({ spans: scopeSpans = [] }) => scopeSpans)
  const spanIds = wireSpans.map(({ spanId }) => spanId).sort()
  const identity = JSON.stringify([trace_id, writer.service_provider_sid, writer.account_sid, spanIds])
  return uuidAt(findStartMs(wireSpans), createHash('sha256').update(identity).digest())
}

const toRow = (part: NewTracePart, now: number): PartRow => ({
  part_sid: computePartSid(part),
  trace_id: part.trace_id,
  service_provider_sid: part.writer.service_provider_sid,
  account_sid: part.writer.account_sid,
  received_at: Math.floor(now / 1000),
  spans: deflateRawSync(JSON.stringify(part.spans), { level: 3 }),
})

/** The number of parts that are compressed without a pause. A request may have tens of thousands; others run in between. */
const compressBatchSize = 250

const toRows = async (parts: readonly NewTracePart[], now: number): Promise<PartRow[]> => {
  const rows: PartRow[] = []
  for (let start = 0; start < parts.length; start += compressBatchSize) {
    if (start > 0) await yieldToEventLoop()
    rows.push(...parts.slice(start, start + compressBatchSize).map((part) => toRow(part, now)))
  }
  return rows
}

/** Creates a store of traces in a table of our own. `retentionDays`: 0 means unlimited. */
export const createSqlTraceStore = (
  { db, engine, checkpointWal }: Pick<Database, 'db' | 'engine' | 'checkpointWal'>,
  retentionDays: number,
  clock: () => number = Date.now,
): TraceStore => {
  /** Returns the start of the retention period in seconds since 1970. It hides expired traces even before they are pruned. */
  const getOldestAtSeconds = () =>
    retentionDays === 0 ? 0 : Math.floor(clock() / 1000) - retentionDays * secondsPerDay

  /** Inserts the parts that are not stored yet. */
  const insertMissing = (transaction: Connection, rows: PartRow[]) => {
    const insertion = transaction.insertInto('trunkline_trace_parts').values(rows)
    return engine === 'mysql'
      ? insertion.onDuplicateKeyUpdate({ part_sid: sql`part_sid` }).execute()
      : insertion.onConflict((conflict) => conflict.column('part_sid').doNothing()).execute()
  }

  const { write, getQueueSize } = createGroupCommit({
    async commit(batches: PartRow[][]) {
      try {
        await withTransaction(db, async (transaction) => {
          for (const values of splitBySize(batches.flat(), ({ spans }) => spans.length, statementLimits))
            await insertMissing(transaction, values)
        })
      } catch (error) {
        throw toPortError(error)
      }
    },
    sizeOf: sumBytes,
    maxBatchSize: maxTransactionBytes,
    maxQueueSize: maxQueuedBytes,
    overloadMessage: 'Spans arrive faster than they can be stored. Send them again later.',
  })

  return {
    async addParts(parts) {
      const rows = await toRows(parts, clock())
      if (rows.length > 0) await write(rows)
    },

    getQueueSize,

    async findParts(traceId) {
      const rows = await db
        .selectFrom('trunkline_trace_parts')
        .select(['service_provider_sid', 'account_sid', 'spans'])
        .where('trace_id', '=', traceId)
        .where('received_at', '>=', getOldestAtSeconds())
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
      if (retentionDays > 0)
        await pruneParts({ db, checkpointWal }, 'trunkline_trace_parts', getOldestAtSeconds(), signal)
    },
  }
}

import { setImmediate as turn } from 'node:timers/promises'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Insertable } from 'kysely'
import type { ResourceSpans } from '@trunkline/contract/calls/spans-wire'
import type { Database } from '../../db/database'
import type { Tables } from '../../db/schema'
import { withTransaction } from '../../db/transaction'
import type { NewTracePart, TraceStore } from '../../ports/traces'
import { Unavailable } from '../../ports/unavailable'
import { uuidAt } from '../../secrets/ids'
import { pruneParts } from '../sql/prune'
import { portFault } from '../sql/errors'
import { statementsOf } from '../sql/batches'

type Row = Insertable<Tables['trunkline_trace_parts']>

interface Job {
  rows: Row[]
  bytes: number
  done: () => void
  fail: (error: unknown) => void
}

const mebibyte = 1024 * 1024
/** Bytes that one transaction writes, and one statement: engines refuse statements that are too long. */
const inTransaction = 8 * mebibyte
const inStatement = 2 * mebibyte
/** Rows of one statement. */
const rowsAtOnce = 200
/** Bytes that may wait to be written; who comes then is sent away, and comes again. */
const patience = 64 * mebibyte
/** Of one trace no more is read than fits into the memory of a server that others use too. */
const readAtOnce = 64 * mebibyte
const partsAtOnce = 5000

/** Seconds. */
const dayLength = 24 * 60 * 60

const sizeOf = (rows: readonly Row[]) => rows.reduce((sum, { spans }) => sum + spans.length, 0)

const rowOf = ({ trace_id, writer, spans }: NewTracePart, now: number): Row => ({
  part_sid: uuidAt(now),
  trace_id,
  service_provider_sid: writer.service_provider_sid,
  account_sid: writer.account_sid,
  received_at: Math.floor(now / 1000),
  spans: deflateRawSync(JSON.stringify(spans), { level: 3 }),
})

/** Parts that are packed in one go: a request may have tens of thousands, and others have their turn in between. */
const packedAtOnce = 250

const rowsOf = async (parts: readonly NewTracePart[], now: number): Promise<Row[]> => {
  const rows: Row[] = []
  for (let at = 0; at < parts.length; at += packedAtOnce) {
    if (at > 0) await turn()
    rows.push(...parts.slice(at, at + packedAtOnce).map((part) => rowOf(part, now)))
  }
  return rows
}

/**
 * Traces in tables of our own. Whatever comes in while one transaction is being written goes into the next one together:
 * each waits for the disk once, and many who write small pieces get as far as few who write large ones. `days`: how long
 * they are kept; 0: for ever.
 */
export const sqlTraces = ({ db }: Pick<Database, 'db'>, days: number, clock: () => number = Date.now): TraceStore => {
  const waiting: Job[] = []
  let waitingBytes = 0
  let writing = false

  /** Nobody sees what is older, whether it has been deleted yet or not. */
  const oldest = () => (days === 0 ? 0 : Math.floor(clock() / 1000) - days * dayLength)

  const next = (): Job[] => {
    const jobs: Job[] = []
    for (let bytes = 0; waiting[0] && (jobs.length === 0 || bytes + waiting[0].bytes <= inTransaction);) {
      const job = waiting.shift()!
      bytes += job.bytes
      jobs.push(job)
    }
    return jobs
  }

  const write = (rows: Row[]) =>
    withTransaction(db, async (transaction) => {
      for (const values of statementsOf(rows, ({ spans }) => spans.length, { rows: rowsAtOnce, bytes: inStatement }))
        await transaction.insertInto('trunkline_trace_parts').values(values).execute()
    })

  const writeAll = async () => {
    if (writing) return
    writing = true
    for (let jobs = next(); jobs.length > 0; jobs = next()) {
      try {
        await write(jobs.flatMap(({ rows }) => rows))
        for (const { done } of jobs) done()
      } catch (error) {
        for (const { fail } of jobs) fail(portFault(error))
      }
      waitingBytes -= jobs.reduce((sum, { bytes }) => sum + bytes, 0)
    }
    writing = false
  }

  return {
    async keep(parts) {
      const rows = await rowsOf(parts, clock())
      if (rows.length === 0) return
      const bytes = sizeOf(rows)
      if (waitingBytes > 0 && waitingBytes + bytes > patience)
        throw new Unavailable('More spans come in than can be written. Send them again later.')
      waitingBytes += bytes
      return new Promise<void>((done, fail) => {
        waiting.push({ rows, bytes, done, fail })
        void writeAll()
      })
    },

    async find(traceId) {
      const rows = await db
        .selectFrom('trunkline_trace_parts')
        .select(['service_provider_sid', 'account_sid', 'spans'])
        .where('trace_id', '=', traceId)
        .where('received_at', '>=', oldest())
        .orderBy('part_sid')
        .limit(partsAtOnce)
        .execute()
      let left = readAtOnce
      const parts = []
      for (const { service_provider_sid, account_sid, spans } of rows) {
        const text = inflateRawSync(spans)
        left -= text.length
        if (left < 0) break
        const writer = { service_provider_sid, account_sid }
        parts.push({ writer, spans: JSON.parse(text.toString()) as ResourceSpans[] })
      }
      return parts
    },

    async prune(stopped) {
      if (days > 0) await pruneParts(db, 'trunkline_trace_parts', oldest(), stopped)
    },
  }
}

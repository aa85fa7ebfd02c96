import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { Measurement, Point } from '../../../ports/call-history'
import type { CallArchive } from '../../../ports/call-archive'
import { toArchivedPoint } from '../archived-points'
import { computeDedupeKey, type Values } from './dedupe'
import { tablesByMeasurement } from './index-scan'
import { firstIdAt, idsPerMs, timestampOf } from './time-ids'

/** Records per page. */
const pageSize = 2000

interface ArchivedRow {
  id: number
  /** The column of the dedupe key. */
  mark: string
  /** The complete point as JSON. */
  point: string
}

/** The dedupe key starts with the milliseconds in base 36. */
const msDigits = 9

/**
 * Restores the time of a record. Only its milliseconds are stored, and an approximation of the rest in its id. The dedupe key is a
 * digest of the exact time, so it tells which of the possible times is right. If none is, the approximation is returned.
 */
const restoreTimeNs = (measurement: Measurement, { id, mark }: ArchivedRow, point: Point): bigint => {
  const timeMs = BigInt(parseInt(mark.slice(0, msDigits), 36))
  const startNs = timeMs * 1_000_000n
  const isExact = (timeNs: bigint) => computeDedupeKey(measurement, { ...point, timeNs }) === mark
  if (isExact(startNs)) return startNs
  // With more than 1024 records per millisecond, an id belongs to a later one.
  if (timestampOf(id) !== Number(timeMs)) return startNs
  const slot = id % idsPerMs
  const [firstNs, endNs] = [slot, slot + 1].map((index) => Math.ceil((index * 1_000_000) / idsPerMs)) as [
    number,
    number,
  ]
  for (let remainderNs = firstNs; remainderNs < endNs; remainderNs += 1)
    if (isExact(startNs + BigInt(remainderNs))) return startNs + BigInt(remainderNs)
  return startNs + BigInt(firstNs)
}

const toPoint = (measurement: Measurement, row: ArchivedRow): Point => {
  const point = toArchivedPoint(measurement, JSON.parse(row.point) as Values, 0n)
  return { ...point, timeNs: restoreTimeNs(measurement, row, point) }
}

/** Reads the records of our own tables in the order of their time. */
export const createSqlCallArchive = ({ db }: Pick<Database, 'db'>): CallArchive => ({
  async findNextTime(measurement, startAt) {
    const { rows } = await sql<{ id: number | null }>`select min(id) as id
      from ${sql.table(tablesByMeasurement[measurement])} where id >= ${firstIdAt(startAt)}`.execute(db)
    const id = rows[0]?.id ?? null
    return id === null ? undefined : timestampOf(Number(id))
  },

  async *readPoints(measurement, { startAt, endAt }) {
    const endId = firstIdAt(endAt)
    let nextId = firstIdAt(startAt)
    for (;;) {
      const { rows } = await sql<ArchivedRow>`select id, mark, point
        from ${sql.table(tablesByMeasurement[measurement])}
        where id >= ${nextId} and id < ${endId} order by id limit ${pageSize}`.execute(db)
      const lastRow = rows.at(-1)
      if (!lastRow) return
      yield rows.map((row) => toPoint(measurement, row))
      nextId = lastRow.id + 1
    }
  },
})

import type { CallArchive } from '../../../ports/call-archive'
import { arrivalField, type Measurement, type Point } from '../../../ports/call-history'
import { toArchivedPoint } from '../archived-points'
import type { ClickHouseConnection, Values } from './connection'
import { createClickHouseConnection } from './connection'
import { formatTimeNs, readRecordValues } from './rows'
import { platformArrival, recordTables, selectedColumnsOf, unknownArrival } from './tables'

/** Records per page. */
const pageSize = 5000

const toPoint = (measurement: Measurement, { time_ns, arrival, ...row }: Values): Point => {
  const { [recordTables[measurement].recordKey]: _, ...values } = row
  const isPlatformRecord = arrival === platformArrival || arrival === unknownArrival
  return toArchivedPoint(
    measurement,
    { ...readRecordValues(values), ...(isPlatformRecord ? {} : { [arrivalField]: Number(arrival) }) },
    BigInt(String(time_ns)),
  )
}

const readPage = async ({ query, qualify }: ClickHouseConnection, measurement: Measurement, params: Values) => {
  const table = recordTables[measurement]
  const { rows } = await query(
    `select ${selectedColumnsOf(table)}, ${table.recordKey}, arrival from ${qualify(table.name)} final
    where time_ns >= {startNs:Int64} and time_ns < {endNs:Int64}
      and (time_ns, ${table.recordKey}) > ({lastNs:Int64}, {lastKey:UInt64})
    order by time_ns, ${table.recordKey} limit ${pageSize}`,
    params,
  )
  return rows
}

/** Reads the records of a ClickHouse in the order of their time. For the URL see `createClickHouseConnection`. */
export const createClickHouseArchive = (url: string): CallArchive => {
  const connection = createClickHouseConnection(url)
  return {
    async findNextTime(measurement, startAt) {
      const { rows } = await connection.query(
        `select min(time_ns) as first_ns, count() as record_count
        from ${connection.qualify(recordTables[measurement].name)} where time_ns >= {startNs:Int64}`,
        { startNs: BigInt(startAt) * 1_000_000n },
      )
      const [row] = rows
      return row && row.record_count !== '0' ? Date.parse(formatTimeNs(row.first_ns)) : undefined
    },

    async *readPoints(measurement, { startAt, endAt }) {
      const range = { startNs: BigInt(startAt) * 1_000_000n, endNs: BigInt(endAt) * 1_000_000n }
      let position: Values = { lastNs: range.startNs - 1n, lastKey: 0 }
      for (;;) {
        const rows = await readPage(connection, measurement, { ...range, ...position })
        const lastRow = rows.at(-1)
        if (!lastRow) return
        yield rows.map((row) => toPoint(measurement, row))
        position = { lastNs: lastRow.time_ns, lastKey: lastRow[recordTables[measurement].recordKey] }
      }
    },
  }
}

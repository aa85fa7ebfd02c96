import type { CallArchive } from '../../../ports/call-archive'
import { toArchivedPoint } from '../archived-points'
import { createInfluxConnection } from './connection'

/** Records per page. */
const pageSize = 5000

/** The epoch of a row in nanoseconds. InfluxDB returns times with up to nine decimals. */
const toNanoseconds = (time: unknown): bigint => {
  const [seconds = '', decimals = ''] = String(time).replace(/Z$/, '').split('.')
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(decimals.padEnd(9, '0'))
}

/** Reads the records of an InfluxDB in the order of their time. For the URL see `createInfluxConnection`. */
export const createInfluxArchive = (url: string): CallArchive => {
  const { queryRows } = createInfluxConnection(url)
  return {
    async findNextTime(measurement, startAt) {
      const query = `select * from ${measurement} where time >= ${BigInt(startAt) * 1_000_000n} order by time limit 1`
      const [row] = await queryRows(measurement, query, {})
      return row && Date.parse(String(row.time))
    },

    async *readPoints(measurement, { startAt, endAt }) {
      const condition = `time >= ${BigInt(startAt) * 1_000_000n} and time < ${BigInt(endAt) * 1_000_000n}`
      for (let offset = 0; ; offset += pageSize) {
        const query = `select * from ${measurement} where ${condition} order by time limit ${pageSize} offset ${offset}`
        const rows = await queryRows(measurement, query, {})
        if (rows.length > 0)
          yield rows.map(({ time, ...values }) => toArchivedPoint(measurement, values, toNanoseconds(time)))
        if (rows.length < pageSize) return
      }
    },
  }
}

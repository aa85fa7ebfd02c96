import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { CallSum } from '../../../ports/call-history'
import { buildHourCountClauses, type IndexScan, type ScanClauses } from './index-scan'
import { idsPerHour, isAnswered, splitHours, type HourRange } from './time-ids'

/** Converts all columns to numbers: engines return sums as text or null. */
const toNumbers = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value ?? 0)])) as {
    [Name in keyof Row]: number
  }

/** Creates a reader that aggregates the calls of a scan by hour and outcome. */
export const createSqlCallSumReader = (
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  { tableWithIndex, whereCondition }: ScanClauses,
) => {
  const sumRows = async (scan: IndexScan): Promise<CallSum[]> => {
    const hour = engine === 'sqlite' ? sql`id / ${sql.lit(idsPerHour)}` : sql`id div ${sql.lit(idsPerHour)}`
    const { rows } = await sql<Omit<CallSum, 'answered'> & { answered: number | null }>`
      select ${hour} as hour, answered, sip_status, count(*) as callCount, sum(seconds) as totalSeconds,
        count(delay) as timedCallCount, sum(delay) as totalDelayMs
      from ${tableWithIndex(scan)} where ${whereCondition(scan)} group by 1, 2, 3`.execute(db)
    return rows.map(({ answered, ...row }) => ({ ...toNumbers(row), answered: answered === 1 }))
  }

  const sumHourCounts = async (scan: IndexScan, hours: HourRange): Promise<CallSum[]> => {
    const { rows } = await sql<Omit<CallSum, 'answered'> & { kind: number }>`
      select hour, kind, sip_status, number as callCount, seconds as totalSeconds, timed as timedCallCount,
        delay as totalDelayMs ${buildHourCountClauses(scan, hours)} and number > 0`.execute(db)
    return rows.map(({ kind, ...row }) => ({ ...toNumbers(row), answered: isAnswered(kind) }))
  }

  return {
    sumRows,

    /** Uses hour counts for full hours, and rows for the partial hours at both ends. */
    async sumByHourCounts(scan: IndexScan): Promise<CallSum[]> {
      const { edges, hours } = splitHours(scan.idRange)
      const edgeSums = await Promise.all(edges.map((idRange) => sumRows({ ...scan, idRange })))
      return [...edgeSums.flat(), ...(hours ? await sumHourCounts(scan, hours) : [])]
    },
  }
}

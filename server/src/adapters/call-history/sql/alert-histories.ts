import { sql } from 'kysely'
import type { DatabaseEngine } from '../../../db/database'
import { alertHistory } from '../../../ports/call-history'
import { firstIdAt, idsPerMs } from './time-ids'

/** The history of a group without alerts in its intervals. */
export const emptyHistory = Array.from({ length: alertHistory.intervalCount }, () => 0)

/** The first id of the first interval of a history that ends at `endAt`, and the number of ids in each interval. */
export const getIntervals = (endAt: number) => {
  const { intervalMs, intervalCount } = alertHistory
  const startAt = endAt - intervalCount * intervalMs
  return { startAt, firstId: firstIdAt(startAt), idCount: intervalMs * idsPerMs }
}

/** The number of the interval of an alert, as SQL. */
export const intervalIndexOf = (engine: DatabaseEngine, firstId: number, idCount: number) => {
  const [first, count] = [sql.lit(firstId), sql.lit(idCount)]
  return engine === 'sqlite' ? sql`(id - ${first}) / ${count}` : sql`(id - ${first}) div ${count}`
}

/** Adds alerts to an interval. An alert of a voice server whose clock is ahead belongs to the last interval. */
export const addToHistory = (history: number[], intervalIndex: number, alertCount: number | string): void => {
  history[Math.min(intervalIndex, alertHistory.intervalCount - 1)]! += Number(alertCount)
}

import { sql } from 'kysely'
import type { Connection } from '../../../db/repository-options'
import { forEachBatch } from '../../sql/batches'
import type { PendingPoint } from './dedupe'
import type { CallTable } from './index-scan'
import { findFreeId, firstIdOfMs, firstIdOfNextMs, computeIdPreference, lastIdOfMs } from './time-ids'

/** Ids per statement. */
const batchSize = 250

/** Tracks the used ids of a table. `loadMs` loads those of one millisecond from the database. */
const createUsedIdTracker = (trx: Connection, table: CallTable) => {
  const usedIds = new Set<number>()
  const loadedMs = new Set<number>()
  const loadMs = async (firstIdInMs: number): Promise<void> => {
    if (loadedMs.has(firstIdInMs)) return
    loadedMs.add(firstIdInMs)
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where id between ${firstIdInMs} and ${lastIdOfMs(firstIdInMs)}`.execute(trx)
    for (const { id } of rows) usedIds.add(id)
  }
  return { usedIds, loadMs }
}

/**
 * Assigns an id to each new point. If a millisecond has more than 1024 points, as from writers whose timestamps have no milliseconds,
 * some get ids of the following milliseconds.
 */
export const assignIds = async (trx: Connection, table: CallTable, newPoints: PendingPoint[]): Promise<number[]> => {
  const preferences = newPoints.map(({ timeNs, dedupeKey }) => computeIdPreference(timeNs, dedupeKey))
  const { usedIds, loadMs } = createUsedIdTracker(trx, table)
  // A millisecond must be loaded if a preferred id in it is already used, or if two new points prefer the same id.
  await forEachBatch([...new Set(preferences.map(({ preferredId }) => preferredId))], batchSize, async (batch) => {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where id in (${sql.join(batch)})`.execute(trx)
    for (const { id } of rows) await loadMs(firstIdOfMs(id))
  })
  const preferredIds = new Set<number>()
  for (const { preferredId, firstIdInMs } of preferences) {
    if (preferredIds.has(preferredId)) await loadMs(firstIdInMs)
    preferredIds.add(preferredId)
  }
  const ids: number[] = []
  for (const preference of preferences) {
    let { firstIdInMs } = preference
    let id = findFreeId(preference, usedIds)
    while (id === undefined) {
      firstIdInMs = firstIdOfNextMs(firstIdInMs)
      await loadMs(firstIdInMs)
      id = findFreeId({ preferredId: firstIdInMs, firstIdInMs }, usedIds)
    }
    usedIds.add(id)
    ids.push(id)
  }
  return ids
}

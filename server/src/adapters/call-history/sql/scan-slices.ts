import { sql } from 'kysely'
import type { Database, DatabaseEngine } from '../../../db/database'
import { createAdaptiveBatchSize, createTurnQueue, type BatchLimits } from '../../sql/time-slices'
import type { IndexScan, ScanClauses } from './index-scan'
import type { IdRange } from './time-ids'

/** Rows per slice. SQLite reads them in this thread and blocks all other requests meanwhile. */
const sliceLimits: Record<DatabaseEngine, BatchLimits> = {
  sqlite: { targetMs: 10, initialRows: 2000, minRows: 500, maxRows: 50_000 },
  mysql: { targetMs: 100, initialRows: 20_000, minRows: 5000, maxRows: 200_000 },
}

/**
 * Creates a function that splits the rows of a scan into slices of adaptive size, the newest first. Each slice has its own turn
 * of the event loop, so that other requests run between two of them.
 */
export const createScanSlicer = (
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  { tableWithIndex, whereCondition }: ScanClauses,
) => {
  const waitForTurn = createTurnQueue()

  return async function* (scan: IndexScan): AsyncGenerator<IdRange> {
    const batchSize = createAdaptiveBatchSize(sliceLimits[engine])
    const { low } = scan.idRange
    for (let { high } = scan.idRange; high >= low;) {
      await waitForTurn()
      const startedAt = performance.now()
      const rest = { ...scan, idRange: { low, high } }
      const { rows } = await sql<{ id: number }>`select id from ${tableWithIndex(rest)} where ${whereCondition(rest)}
        order by id desc limit 1 offset ${batchSize.current() - 1}`.execute(db)
      const slice = { low: rows[0]?.id ?? low, high }
      yield slice
      high = slice.low - 1
      batchSize.adjust(performance.now() - startedAt)
    }
  }
}

export type ScanSlicer = ReturnType<typeof createScanSlicer>

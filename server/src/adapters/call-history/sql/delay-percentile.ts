import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import { maxDelaySamples, type CallFilter, type Tenant } from '../../../ports/call-history'
import { computePercentile, countValues, type ValueCount } from '../percentile'
import type { BlockSearch } from './block-search'
import { needsBlocks, type CallScanBuilder } from './call-scan'
import type { IndexScan, ScanClauses } from './index-scan'

interface DelayPercentileOptions {
  database: Pick<Database, 'db'>
  clauses: ScanClauses
  scanBuilder: CallScanBuilder
  blockSearch: BlockSearch
  /** Are all calls in call blocks? */
  isIndexed: () => Promise<boolean>
}

/** Creates a function that finds a percentile of the delays from attempt to answer. The list's indexes contain the delays. */
export const createSqlDelayPercentile = ({
  database: { db },
  clauses: { tableWithIndex, whereCondition },
  scanBuilder,
  blockSearch,
  isIndexed,
}: DelayPercentileOptions) => {
  const countDelays = async (scan: IndexScan): Promise<ValueCount[]> => {
    const { rows } = await sql<{ delay: number; number: number | string }>`select delay, count(*) as number from (
        select delay from ${tableWithIndex(scan)} where ${whereCondition(scan)} and delay is not null
        order by id desc limit ${sql.lit(maxDelaySamples)}) newest
      group by delay order by delay`.execute(db)
    return rows.map(({ delay, number }) => ({ value: delay, count: Number(number) }))
  }

  return async (tenant: Tenant, callFilter: CallFilter, percentile: number): Promise<number | null> => {
    if (callFilter.answered === false) return null
    const filter = { ...callFilter, answered: true }
    const scan = scanBuilder.buildScan(tenant, filter)
    if (!needsBlocks(filter)) return computePercentile(await countDelays(scan), percentile)
    const delays = (await isIndexed())
      ? countValues(await blockSearch.listDelays(tenant, scan.idRange, filter, maxDelaySamples))
      : await countDelays(await scanBuilder.addBlockConditions(scan, filter))
    return computePercentile(delays, percentile)
  }
}

import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../../db/database'
import {
  TooManyRecordsError,
  type CallFilter,
  type CallGroup,
  type CallProperty,
  type Tenant,
} from '../../../ports/call-history'
import { createTurnQueue } from '../../sql/time-slices'
import type { BlockSearch } from './block-search'
import { needsBlocks, type CallScanBuilder } from './call-scan'
import { createHourCountGrouper, type GroupRow } from './hour-count-groups'
import type { IndexScan, ScanClauses } from './index-scan'
import { ownerFilter } from './stored-rows'
import type { TextMatcher } from './text-matches'
import { splitHours } from './time-ids'

/** The maximum number of rows that are read one by one if there is no aggregate: they may be anywhere in a table larger than memory. */
const maxReadRows = 5000
const idBatchSize = 500

const propertyColumns = { trunk: sql.ref('trunk'), account: sql.ref('account_sid') }

/** Merges rows of the same value. Case is ignored, as in the filters. */
const mergeGroups = (rows: readonly GroupRow[]): CallGroup[] => {
  const groups = new Map<string, CallGroup>()
  for (const { value, callCount, answeredCount } of rows) {
    if (value === null || Number(callCount) <= 0) continue
    const key = value.toLowerCase()
    const group = groups.get(key) ?? { value, callCount: 0, answeredCount: 0 }
    group.callCount += Number(callCount)
    group.answeredCount += Number(answeredCount)
    groups.set(key, group)
  }
  return [...groups.values()]
}

interface CallGrouperOptions {
  database: Pick<Database, 'db' | 'engine'>
  clauses: ScanClauses
  scanBuilder: CallScanBuilder
  blockSearch: BlockSearch
  textMatcher: TextMatcher
  /** Are all calls in call blocks and in the counts of their trunk? */
  isIndexed: () => Promise<boolean>
}

/** Creates a function that groups calls by trunk or account: from hour counts where possible, otherwise from the rows. */
export const createSqlCallGrouper = ({
  database,
  clauses,
  scanBuilder,
  blockSearch,
  textMatcher,
  isIndexed,
}: CallGrouperOptions) => {
  const { db } = database
  const { tableWithIndex, whereCondition } = clauses
  const groupHourCounts = createHourCountGrouper(database, textMatcher)
  const waitForTurn = createTurnQueue()

  const groupRows = async (property: CallProperty, table: RawBuilder<unknown>, condition: RawBuilder<unknown>) => {
    const { rows } = await sql<GroupRow>`select ${propertyColumns[property]} as value, count(*) as callCount,
      sum(case when answered = 1 then 1 else 0 end) as answeredCount
      from ${table} where ${condition} group by 1`.execute(db)
    return rows
  }

  const groupScan = (property: CallProperty, scan: IndexScan) =>
    groupRows(property, tableWithIndex(scan), whereCondition(scan))

  const groupWithoutBlocks = async (property: CallProperty, scan: IndexScan) => {
    const limitedScan = sql`${tableWithIndex(scan)} where ${whereCondition(scan)} limit ${maxReadRows + 1}`
    const { rows } = await sql<{ number: number }>`
      select count(*) as number from (select 1 from ${limitedScan}) c`.execute(db)
    if (Number(rows[0]?.number) > maxReadRows) throw new TooManyRecordsError()
    return groupScan(property, scan)
  }

  /** Blocks have the trunk of a call, but not its account. */
  const groupByBlocks = async (property: CallProperty, { tenant, idRange }: IndexScan, filter: CallFilter) => {
    if (property === 'trunk') return blockSearch.groupByTrunk(tenant, idRange, filter)
    const { total, ids } = await blockSearch.findPage(tenant, idRange, filter, 0, maxReadRows)
    if (total > maxReadRows) throw new TooManyRecordsError()
    const groups: GroupRow[] = []
    for (let start = 0; start < ids.length; start += idBatchSize) {
      await waitForTurn()
      const batch = sql.join(ids.slice(start, start + idBatchSize))
      const condition = sql`id in (${batch}) and ${ownerFilter(tenant).ownerCondition}`
      groups.push(...(await groupRows(property, sql`trunkline_calls`, condition)))
    }
    return groups
  }

  const groupByHourCounts = async (property: CallProperty, scan: IndexScan, filter: CallFilter) => {
    const { edges, hours } = splitHours(scan.idRange)
    const edgeGroups = await Promise.all(edges.map((idRange) => groupScan(property, { ...scan, idRange })))
    return [...edgeGroups.flat(), ...(hours ? await groupHourCounts(property, scan, filter, hours) : [])]
  }

  return async (tenant: Tenant, filter: CallFilter, property: CallProperty): Promise<CallGroup[]> => {
    const scan = scanBuilder.buildScan(tenant, filter)
    const usesBlocks = needsBlocks(filter)
    // The hour counts of accounts do not depend on the backfill.
    const needsIndex = usesBlocks || filter.trunk !== undefined || property === 'trunk'
    if (needsIndex && !(await isIndexed()))
      return mergeGroups(await groupWithoutBlocks(property, await scanBuilder.addBlockConditions(scan, filter)))
    return mergeGroups(
      usesBlocks ? await groupByBlocks(property, scan, filter) : await groupByHourCounts(property, scan, filter),
    )
  }
}

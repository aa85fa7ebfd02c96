import type { Database } from '../../../db/database'
import type {
  CallFilter,
  CallListOptions,
  CallSum,
  ResultPage,
  Tenant,
  EventListOptions,
} from '../../../ports/call-history'
import type { BlockSearch } from './block-search'
import { needsBlocks, type CallScanBuilder } from './call-scan'
import type { IndexScan, ScanClauses } from './index-scan'
import { computePageSlice, type PageReader } from './page-reader'
import type { StoredRow } from './stored-rows'
import { createSqlCallSumReader } from './sum-calls'

/** Reverses a page if the oldest record comes first: pages are read newest first. */
const orderRows = async (
  { oldestFirst }: EventListOptions,
  page: Promise<ResultPage<StoredRow>>,
): Promise<ResultPage<StoredRow>> => {
  const { total, rows } = await page
  return { total, rows: oldestFirst ? rows.toReversed() : rows }
}

interface CallReaderOptions {
  database: Pick<Database, 'db' | 'engine'>
  clauses: ScanClauses
  scanBuilder: CallScanBuilder
  pageReader: PageReader
  blockSearch: BlockSearch
  /** Are all calls in call blocks and in the counts of their trunk? */
  isIndexed: () => Promise<boolean>
}

/** Creates a reader that lists and aggregates calls. Totals come from hour counts where possible. */
export const createSqlCallReader = ({
  database,
  clauses,
  scanBuilder,
  pageReader,
  blockSearch,
  isIndexed,
}: CallReaderOptions) => {
  const sumReader = createSqlCallSumReader(database, clauses)

  const readPageByBlocks = async (scan: IndexScan, options: CallListOptions) => {
    const { page: _page, count: _count, oldestFirst, ...filter } = options
    // Blocks are read newest first, so the offset of a page in ascending order depends on the total.
    const rowCount = oldestFirst
      ? (await blockSearch.findPage(scan.tenant, scan.idRange, filter, 0, 0)).total
      : Infinity
    const { offset, length } = computePageSlice(options, rowCount)
    const { total, ids } = await blockSearch.findPage(scan.tenant, scan.idRange, filter, offset, length)
    return { total, rows: await pageReader.readByIds(scan, ids) }
  }

  return {
    async listCalls(tenant: Tenant, options: CallListOptions): Promise<ResultPage<StoredRow>> {
      const scan = scanBuilder.buildScan(tenant, options)
      const usesBlocks = needsBlocks(options)
      if (!usesBlocks && options.trunk === undefined)
        return orderRows(options, pageReader.readPageByHourCounts(scan, options))
      if (!(await isIndexed()))
        return orderRows(
          options,
          pageReader.readPageByCounting(await scanBuilder.addBlockConditions(scan, options), options),
        )
      return orderRows(
        options,
        usesBlocks ? readPageByBlocks(scan, options) : pageReader.readPageByHourCounts(scan, options),
      )
    },

    async sumCalls(tenant: Tenant, filter: CallFilter): Promise<CallSum[]> {
      const scan = scanBuilder.buildScan(tenant, filter)
      const usesBlocks = needsBlocks(filter)
      if ((usesBlocks || filter.trunk !== undefined) && !(await isIndexed()))
        return sumReader.sumRows(await scanBuilder.addBlockConditions(scan, filter))
      return usesBlocks ? blockSearch.sumCalls(tenant, scan.idRange, filter) : sumReader.sumByHourCounts(scan)
    },
  }
}

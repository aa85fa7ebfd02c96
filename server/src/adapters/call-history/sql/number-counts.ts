import type { Database } from '../../../db/database'
import { TooManyRecordsError, type Tenant } from '../../../ports/call-history'
import { createSqlBlockReader } from './block-reader'
import { findPhoneNumbers, type BlockFilter } from './call-block'
import type { CallScanBuilder } from './call-scan'
import { encodePhoneNumber } from './text-matches'

/** The maximum number of a tenant's calls that are read. */
const maxReadCalls = 2_000_000

interface NumberCounterOptions {
  database: Pick<Database, 'db' | 'engine'>
  scanBuilder: CallScanBuilder
  /** Are all calls in call blocks? */
  isIndexed: () => Promise<boolean>
}

/**
 * Creates a function that counts the calls of phone numbers. Rows are not indexed by number, so all blocks of the period are
 * read, once for all numbers.
 */
export const createSqlNumberCounter = ({ database, scanBuilder, isIndexed }: NumberCounterOptions) => {
  const { readBlocks } = createSqlBlockReader(database)

  return async (tenant: Tenant, numbers: readonly string[], from: number): Promise<number[]> => {
    if (!(await isIndexed())) throw new TooManyRecordsError()
    const blockNumbers = numbers.map((number) => encodePhoneNumber(number).toString('latin1'))
    const counts = new Map(blockNumbers.map((number) => [number, 0]))
    const filter: BlockFilter = {
      ...scanBuilder.buildScan(tenant, { from }).idRange,
      text: '',
      ids: new Set(),
    }
    let readCallCount = 0
    for await (const rows of readBlocks(tenant, filter)) {
      for (const { hour, calls } of rows) {
        const phoneNumbers = findPhoneNumbers(hour, calls, filter)
        readCallCount += phoneNumbers.length
        for (const number of phoneNumbers) {
          const count = counts.get(number)
          if (count !== undefined) counts.set(number, count + 1)
        }
      }
      if (readCallCount > maxReadCalls) throw new TooManyRecordsError()
    }
    return blockNumbers.map((number) => counts.get(number) ?? 0)
  }
}

import type { Database } from '../../../db/database'
import type { Tenant } from '../../../ports/call-history'
import { createSqlBlockReader } from './block-reader'
import { findMatchingApplications, toApplicationCode, type BlockFilter } from './call-block'
import type { IdRange } from './time-ids'

/** The maximum number of a tenant's calls that are read. */
const maxReadCalls = 500_000

/** The calls of one application. */
interface ApplicationCount {
  callCount: number
  /** The id of the latest call. */
  latestId?: number
}

/**
 * Creates a function that counts the calls of a tenant's applications and finds the latest ones, in the order of the SIDs. Rows
 * are not indexed by application, so all blocks of the range are read, once for all applications. Undefined if the tenant has
 * too many calls in the range.
 */
export const createSqlApplicationCounter = (database: Pick<Database, 'db' | 'engine'>) => {
  const { readBlocks } = createSqlBlockReader(database)

  return async (
    tenant: Tenant,
    idRange: IdRange,
    applicationSids: readonly string[],
  ): Promise<ApplicationCount[] | undefined> => {
    const codes = applicationSids.map(toApplicationCode)
    const counts = new Map(codes.map((code): [number, ApplicationCount] => [code, { callCount: 0 }]))
    const filter: BlockFilter = { ...idRange, text: '', ids: new Set() }
    let readCallCount = 0
    for await (const rows of readBlocks(tenant, filter)) {
      for (const { hour, calls } of rows) {
        const matches = findMatchingApplications(hour, calls, filter)
        readCallCount += matches.length
        for (const { application, id } of matches) {
          const count = counts.get(application)
          if (!count) continue
          count.callCount += 1
          count.latestId = Math.max(id, count.latestId ?? 0)
        }
      }
      if (readCallCount > maxReadCalls) return undefined
    }
    return codes.map((code) => counts.get(code) ?? { callCount: 0 })
  }
}

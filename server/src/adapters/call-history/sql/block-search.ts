import type { Database } from '../../../db/database'
import type { CallFilter, CallGroup, CallSum, Tenant } from '../../../ports/call-history'
import { createSqlBlockReader } from './block-reader'
import {
  toApplicationCode,
  clampStatus,
  countMatches,
  findMatchingCalls,
  findMatchingIds,
  findMatchingTrunks,
  toTrunkCode,
  type BlockFilter,
} from './call-block'
import { encodePhoneNumber, encodeSearchText, type TextMatcher } from './text-matches'
import { isAnswered, findMatchingKinds, type IdRange } from './time-ids'

const buildBlockFilter = async (
  textMatcher: TextMatcher,
  tenant: Tenant,
  idRange: IdRange,
  filter: CallFilter,
): Promise<BlockFilter> => {
  const { text, direction, answered, sip_status, trunk, application_sid, number } = filter
  return {
    ...idRange,
    text: encodeSearchText(text ?? '').toString('latin1'),
    ids: new Set(text ? await textMatcher.findExactMatches(tenant, text) : []),
    trunks: new Set((text ? await textMatcher.findTrunks(tenant, text) : []).map(toTrunkCode)),
    kinds: direction === undefined && answered === undefined ? undefined : new Set(findMatchingKinds(filter)),
    sip_status: sip_status === undefined ? undefined : clampStatus(sip_status),
    trunk: trunk === undefined ? undefined : toTrunkCode(trunk),
    application: application_sid === undefined ? undefined : toApplicationCode(application_sid),
    phoneNumber: number === undefined ? undefined : encodePhoneNumber(number).toString('latin1'),
  }
}

/** Creates a search for calls in blocks, by text (see `CallListOptions.text`), application and phone number. */
export const createSqlBlockSearch = (database: Pick<Database, 'db' | 'engine'>, textMatcher: TextMatcher) => {
  const { readBlocks, readHours } = createSqlBlockReader(database)

  const toBlockFilter = (tenant: Tenant, idRange: IdRange, filter: CallFilter) =>
    buildBlockFilter(textMatcher, tenant, idRange, filter)

  return {
    /** Returns the total number of matches, and the ids of at most `limit` of them from `offset` on, newest first. */
    async findPage(tenant: Tenant, idRange: IdRange, callFilter: CallFilter, offset: number, limit: number) {
      const pageIds: number[] = []
      let total = 0
      const filter = await toBlockFilter(tenant, idRange, callFilter)
      for await (const { hour, blocks } of readHours(tenant, filter)) {
        const offsetInHour = Math.max(0, offset - total)
        const matchCount = blocks.reduce((sum, block) => sum + countMatches(hour, block, filter), 0)
        if (offsetInHour < matchCount && pageIds.length < limit) {
          const ids = blocks.flatMap((block) => findMatchingIds(hour, block, filter)).sort((a, b) => b - a)
          pageIds.push(...ids.slice(offsetInHour, offsetInHour + limit - pageIds.length))
        }
        total += matchCount
      }
      return { total, ids: pageIds }
    },

    /** Aggregates the matching calls by hour and outcome. */
    async sumCalls(tenant: Tenant, idRange: IdRange, callFilter: CallFilter): Promise<CallSum[]> {
      const sums = new Map<string, CallSum>()
      const filter = await toBlockFilter(tenant, idRange, callFilter)
      for await (const rows of readBlocks(tenant, filter))
        for (const { hour, calls } of rows)
          for (const { kind, sip_status, seconds, delay } of findMatchingCalls(hour, calls, filter)) {
            const key = `${hour} ${kind} ${sip_status}`
            const sum: CallSum = sums.get(key) ?? {
              hour,
              answered: isAnswered(kind),
              sip_status,
              callCount: 0,
              totalSeconds: 0,
              timedCallCount: 0,
              totalDelayMs: 0,
            }
            sum.callCount += 1
            sum.totalSeconds += seconds
            sum.timedCallCount += Number(delay !== null)
            sum.totalDelayMs += delay ?? 0
            sums.set(key, sum)
          }
      return [...sums.values()]
    },

    /** Returns the known delays of at most `limit` matching calls, newest hours first. */
    async listDelays(tenant: Tenant, idRange: IdRange, callFilter: CallFilter, limit: number): Promise<number[]> {
      const delays: number[] = []
      const filter = await toBlockFilter(tenant, idRange, callFilter)
      for await (const rows of readBlocks(tenant, filter)) {
        for (const { hour, calls } of rows)
          for (const { delay } of findMatchingCalls(hour, calls, filter)) if (delay !== null) delays.push(delay)
        if (delays.length >= limit) break
      }
      return delays.slice(0, limit)
    },

    /** Aggregates the matching calls by trunk. Calls without a trunk, or of a trunk that `findTrunks` omits, are left out. */
    async groupByTrunk(tenant: Tenant, idRange: IdRange, callFilter: CallFilter): Promise<CallGroup[]> {
      const trunks = callFilter.trunk === undefined ? await textMatcher.findTrunks(tenant, '') : [callFilter.trunk]
      const groups = new Map(trunks.map((value) => [toTrunkCode(value), { value, callCount: 0, answeredCount: 0 }]))
      const filter = await toBlockFilter(tenant, idRange, callFilter)
      for await (const rows of readBlocks(tenant, filter))
        for (const { hour, calls } of rows)
          for (const { trunk, kind } of findMatchingTrunks(hour, calls, filter)) {
            const group = groups.get(trunk)
            if (!group) continue
            group.callCount += 1
            group.answeredCount += Number(isAnswered(kind))
          }
      return [...groups.values()]
    },
  }
}

export type BlockSearch = ReturnType<typeof createSqlBlockSearch>

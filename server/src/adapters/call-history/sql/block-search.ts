import { sql } from 'kysely'
import type { Store } from '../../../db/repository'
import type { CallFilter, CallGroup, CallSum, Tenant } from '../../../ports/call-history'
import { adaptiveBatchSize, turnQueue } from '../../sql/time-slices'
import {
  applicationBytes,
  applicationCode,
  clampStatus,
  matchingCalls,
  matchingTrunkKinds,
  countMatches,
  matchingIds,
  trunkBytes,
  trunkCode,
  type CallBlock,
  type BlockFilter,
} from './call-block'
import { digestOf, hourOf, isAnswered, matchingKinds, ownerDigest, type IdRange } from './time-ids'
import { ownerFilter } from './stored-rows'

/**
 * Blocks that one statement reads, matching or not. SQLite reads them in this thread and blocks all other requests meanwhile;
 * MySQL only has to stay well below its statement timeout.
 */
const batchLimits = {
  sqlite: { targetMs: 3, firstRows: 200, minRows: 50, maxRows: 4000 },
  mysql: { targetMs: 200, firstRows: 4000, minRows: 1000, maxRows: 20_000 },
}

/** The first trunks of an owner, by name, that a text search considers. */
const maxTrunks = 200
/** With more matching trunks than this, the database reads all blocks instead of testing each trunk. */
const maxTrunkConditions = 8

/** The text in lower case, as UTF-8. */
export const searchBytes = (text: string): Buffer => Buffer.from(text.toLowerCase())

interface BlockRow {
  hour: number
  part: number
  calls: CallBlock
}

/** A scanned block; `calls` is null if no call in it can match. */
type ScannedRow = Omit<BlockRow, 'calls'> & { calls: CallBlock | null }

const hasMatch = (row: ScannedRow): row is BlockRow => row.calls !== null

/** Finds calls in blocks by text (see `CallListOptions.text`) and by application. */
export const sqlSearch = ({ database: { db, engine } }: Pick<Store, 'database'>) => {
  const nextTurn = turnQueue()

  /** The ids of calls whose SID or Call-ID equals the text. */
  const exactMatches = async (tenant: Tenant, text: string): Promise<number[]> => {
    const digest = digestOf(text.trim())
    const byDigest = (column: string) => sql`select * from (select id from trunkline_calls
      where ${sql.ref(column)} = ${digest} and ${ownerFilter(tenant).ownerCondition} limit 50) ${sql.ref(`by_${column}`)}`
    const { rows } = await sql<{
      id: number
    }>`${byDigest('call_sid_digest')} union ${byDigest('sip_callid_digest')}`.execute(db)
    return rows.map(({ id }) => id)
  }

  /** The trunks whose names contain the text. Each name costs one index lookup; no calls are read. */
  const matchingTrunks = async (tenant: Tenant, text: string): Promise<string[]> => {
    const { ownerCondition } = ownerFilter(tenant)
    const lowerText = text.toLowerCase()
    const trunks: string[] = []
    let last = ''
    for (let count = 0; count < maxTrunks; count += 1) {
      const { rows } = await sql<{ trunk: string }>`select trunk from trunkline_calls
        where ${ownerCondition} and trunk > ${last} order by trunk limit 1`.execute(db)
      if (!rows[0]) break
      last = rows[0].trunk
      if (last.toLowerCase().includes(lowerText)) trunks.push(last)
    }
    return trunks
  }

  const blockFilter = async (tenant: Tenant, range: IdRange, callFilter: CallFilter): Promise<BlockFilter> => ({
    ...range,
    text: searchBytes(callFilter.text ?? '').toString('latin1'),
    ids: new Set(callFilter.text ? await exactMatches(tenant, callFilter.text) : []),
    trunks: new Set((callFilter.text ? await matchingTrunks(tenant, callFilter.text) : []).map(trunkCode)),
    kinds:
      callFilter.direction === undefined && callFilter.answered === undefined
        ? undefined
        : new Set(matchingKinds(callFilter)),
    sip_status: callFilter.sip_status === undefined ? undefined : clampStatus(callFilter.sip_status),
    trunk: callFilter.trunk === undefined ? undefined : trunkCode(callFilter.trunk),
    application: callFilter.application_sid === undefined ? undefined : applicationCode(callFilter.application_sid),
  })

  const contains = (bytes: Buffer) => sql`instr(calls, ${bytes}) > 0`

  /** Condition for blocks that may contain a match; empty if every block may. */
  const blockCondition = ({ text, ids, trunks = new Set(), application }: BlockFilter) => {
    const hours = [...new Set([...ids].map(hourOf))]
    const matches =
      text === '' || trunks.size > maxTrunkConditions
        ? []
        : [
            contains(Buffer.from(text, 'latin1')),
            ...[...trunks].map((code) => contains(trunkBytes(code))),
            ...(hours.length > 0 ? [sql`hour in (${sql.join(hours)})`] : []),
          ]
    const conditions = [
      ...(matches.length > 0 ? [sql`(${sql.join(matches, sql` or `)})`] : []),
      ...(application === undefined ? [] : [contains(applicationBytes(application))]),
    ]
    return conditions.length > 0 ? sql`and ${sql.join(conditions, sql` and `)}` : sql``
  }

  /** Reads blocks that may contain matches, newest first. */
  const readBlocks = async function* (tenant: Tenant, filter: BlockFilter): AsyncGenerator<BlockRow[]> {
    const { low, high } = filter
    const mayMatch = blockCondition(filter)
    let keyRange = sql`hour <= ${hourOf(high)}`
    const batchSize = adaptiveBatchSize(batchLimits[engine])
    for (;;) {
      await nextTurn()
      const startedAt = performance.now()
      const limit = batchSize.rows()
      const { rows } = await sql<ScannedRow>`select hour, part, case when 1 = 1 ${mayMatch} then calls end as calls
        from trunkline_packed_calls where owner_digest = ${ownerDigest(tenant)} and hour >= ${hourOf(low)} and ${keyRange}
        order by hour desc, part desc limit ${limit}`.execute(db)
      yield rows.filter(hasMatch)
      batchSize.adjust(performance.now() - startedAt)
      const last = rows.at(-1)
      if (!last || rows.length < limit) return
      // Both engines can continue in key order with this condition.
      keyRange = sql`hour <= ${last.hour} and (hour < ${last.hour} or part < ${last.part})`
    }
  }

  /** Groups the blocks of each hour. */
  const readHours = async function* (
    tenant: Tenant,
    filter: BlockFilter,
  ): AsyncGenerator<{ hour: number; blocks: CallBlock[] }> {
    let last = { hour: 0, blocks: [] as CallBlock[] }
    for await (const rows of readBlocks(tenant, filter))
      for (const { hour, calls } of rows)
        if (hour === last.hour) last.blocks.push(calls)
        else {
          yield last
          last = { hour, blocks: [calls] }
        }
    yield last
  }

  return {
    exactMatches,
    matchingTrunks,

    /** Returns the total number of matches, and the ids of `count` of them after the first `skip`, newest first. */
    async page(tenant: Tenant, range: IdRange, callFilter: CallFilter, skip: number, count: number) {
      const page: number[] = []
      let total = 0
      const filter = await blockFilter(tenant, range, callFilter)
      for await (const { hour, blocks } of readHours(tenant, filter)) {
        const from = Math.max(0, skip - total)
        const matches = blocks.reduce((sum, block) => sum + countMatches(hour, block, filter), 0)
        if (from < matches && page.length < count) {
          const ids = blocks.flatMap((block) => matchingIds(hour, block, filter)).sort((a, b) => b - a)
          page.push(...ids.slice(from, from + count - page.length))
        }
        total += matches
      }
      return { total, ids: page }
    },

    /** Aggregates the same calls. */
    async sums(tenant: Tenant, range: IdRange, callFilter: CallFilter): Promise<CallSum[]> {
      const sums = new Map<string, CallSum>()
      const filter = await blockFilter(tenant, range, callFilter)
      for await (const rows of readBlocks(tenant, filter))
        for (const { hour, calls } of rows)
          for (const { kind, sip_status, seconds, delay } of matchingCalls(hour, calls, filter)) {
            const key = `${hour} ${kind} ${sip_status}`
            const emptySum = { hour, answered: isAnswered(kind), sip_status, number: 0, seconds: 0, timed: 0, delay: 0 }
            const sum = sums.get(key) ?? emptySum
            sum.number += 1
            sum.seconds += seconds
            sum.timed += Number(delay !== null)
            sum.delay += delay ?? 0
            sums.set(key, sum)
          }
      return [...sums.values()]
    },

    /** Aggregates the same calls by trunk. Calls without a trunk, and of trunks beyond `maxTrunks`, are left out. */
    async groupByTrunk(tenant: Tenant, range: IdRange, callFilter: CallFilter): Promise<CallGroup[]> {
      const names = callFilter.trunk === undefined ? await matchingTrunks(tenant, '') : [callFilter.trunk]
      const groups = new Map(names.map((value) => [trunkCode(value), { value, number: 0, answered: 0 }]))
      const filter = await blockFilter(tenant, range, callFilter)
      for await (const rows of readBlocks(tenant, filter))
        for (const { hour, calls } of rows)
          for (const { trunk, kind } of matchingTrunkKinds(hour, calls, filter)) {
            const group = groups.get(trunk)
            if (!group) continue
            group.number += 1
            group.answered += Number(isAnswered(kind))
          }
      return [...groups.values()]
    },
  }
}

export type CallSearch = ReturnType<typeof sqlSearch>

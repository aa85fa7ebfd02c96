import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../../../db/repository'
import {
  TooManyRecordsError,
  type CallFilter,
  type CallGroup,
  type CallProperty,
  type Tenant,
} from '../../../ports/call-history'
import { adaptiveBatchSize, turnQueue } from '../../sql/time-slices'
import type { IndexScan, Reader } from './reader'
import type { CallSearch } from './block-search'
import { ownerFilter } from './stored-rows'
import { isAnswered, matchingKinds, splitHours, trunkKindOffset, trunkOwnerSid } from './time-ids'

/** Rows that are read one by one where no aggregate has the answer. They may be anywhere in a table larger than memory. */
const maxReadRows = 5000
const idBatchSize = 500

/** Owners of hour counts in one statement. SQLite reads them in this thread and blocks all other requests meanwhile. */
const batchLimits = {
  sqlite: { targetMs: 8, firstRows: 20, minRows: 2, maxRows: 500 },
  mysql: { targetMs: 100, firstRows: 200, minRows: 20, maxRows: 1000 },
}

interface GroupRow {
  value: string | null
  number: number | string
  answered: number | string
}

const columns = { trunk: sql.ref('trunk'), account: sql.ref('account_sid') }

/** Merges rows of the same value. Case is ignored, as in the filters. */
const mergeGroups = (rows: readonly GroupRow[]): CallGroup[] => {
  const groups = new Map<string, CallGroup>()
  for (const { value, number, answered } of rows) {
    if (value === null || Number(number) <= 0) continue
    const key = value.toLowerCase()
    const group = groups.get(key) ?? { value, number: 0, answered: 0 }
    group.number += Number(number)
    group.answered += Number(answered)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Groups calls by trunk or account: from hour counts where possible, otherwise from the rows. */
export const sqlCallGroups = (
  { database: { db, engine } }: Pick<Store, 'database'>,
  { tableWithIndex, whereOf, callScan, scanWithoutBlocks }: Reader,
  search: CallSearch,
  isIndexed: () => Promise<boolean>,
) => {
  const nextTurn = turnQueue()

  const groupRows = async (property: CallProperty, from: RawBuilder<unknown>, condition: RawBuilder<unknown>) => {
    const { rows } = await sql<GroupRow>`select ${columns[property]} as value, count(*) as number,
      sum(case when answered = 1 then 1 else 0 end) as answered from ${from} where ${condition} group by 1`.execute(db)
    return rows
  }

  const groupScan = (property: CallProperty, scan: IndexScan) =>
    groupRows(property, tableWithIndex(scan), whereOf(scan))

  /** Groups calls of an incomplete backfill. */
  const groupWithoutBlocks = async (property: CallProperty, scan: IndexScan) => {
    const from = sql`${tableWithIndex(scan)} where ${whereOf(scan)} limit ${maxReadRows + 1}`
    const { rows } = await sql<{ number: number }>`select count(*) as number from (select 1 from ${from}) c`.execute(db)
    if (Number(rows[0]?.number) > maxReadRows) throw new TooManyRecordsError()
    return groupScan(property, scan)
  }

  /** Blocks have the trunk of a call, but not its account. */
  const groupMatchesInBlocks = async (property: CallProperty, { tenant, range }: IndexScan, filter: CallFilter) => {
    if (property === 'trunk') return search.groupByTrunk(tenant, range, filter)
    const { total, ids } = await search.page(tenant, range, filter, 0, maxReadRows)
    if (total > maxReadRows) throw new TooManyRecordsError()
    const groups: GroupRow[] = []
    for (let start = 0; start < ids.length; start += idBatchSize) {
      await nextTurn()
      const batch = sql.join(ids.slice(start, start + idBatchSize))
      const condition = sql`id in (${batch}) and ${ownerFilter(tenant).ownerCondition}`
      groups.push(...(await groupRows(property, sql`trunkline_calls`, condition)))
    }
    return groups
  }

  const accountSidsOf = async (tenant: Tenant): Promise<string[]> => {
    if ('account_sid' in tenant) return [tenant.account_sid]
    const rows = await db
      .selectFrom('accounts')
      .select('account_sid')
      .where('service_provider_sid', '=', tenant.service_provider_sid)
      .execute()
    return rows.map(({ account_sid }) => account_sid)
  }

  /** The owners under which `trunkline_hour_counts` counts the calls of each trunk or account, and the offset of their kinds. */
  const countOwners = async (property: CallProperty, tenant: Tenant, { trunk }: CallFilter) => {
    if (property === 'trunk') {
      const { owner_sid, kindOffset } = ownerFilter(tenant)
      const names = trunk === undefined ? await search.matchingTrunks(tenant, '') : [trunk]
      const owners = new Map(names.map((name) => [trunkOwnerSid(owner_sid, name), name]))
      return { owners, kindOffset: kindOffset + trunkKindOffset }
    }
    const sids = await accountSidsOf(tenant)
    return trunk === undefined
      ? { owners: new Map(sids.map((sid) => [sid.toLowerCase(), sid])), kindOffset: 0 }
      : { owners: new Map(sids.map((sid) => [trunkOwnerSid(sid, trunk), sid])), kindOffset: trunkKindOffset }
  }

  const groupHourCounts = async (
    by: CallProperty,
    { tenant, sip_status }: IndexScan,
    filter: CallFilter,
    hours: { first: number; end: number },
  ) => {
    const { owners, kindOffset } = await countOwners(by, tenant, filter)
    const kinds = matchingKinds(filter).map((kind) => kind + kindOffset)
    // An empty list is a syntax error in MySQL.
    const answeredKinds = sql.join([-1, ...kinds.filter(isAnswered)])
    const batchSize = adaptiveBatchSize(batchLimits[engine])
    const owner_sids = [...owners.keys()]
    const groups: GroupRow[] = []
    for (let start = 0; start < owner_sids.length;) {
      await nextTurn()
      const startedAt = performance.now()
      const batch = owner_sids.slice(start, start + batchSize.rows())
      // Grouped in the order of the primary key, so that no engine has to sort.
      const { rows } = await sql<{ owner_sid: string; number: number | string; answered: number | string }>`
        select owner_sid, sum(number) as number, sum(case when kind in (${answeredKinds}) then number else 0 end) as answered
        from trunkline_hour_counts
        where owner_sid in (${sql.join(batch)}) and hour >= ${hours.first} and hour < ${hours.end}
          and kind in (${sql.join(kinds)}) ${sip_status === undefined ? sql`` : sql`and sip_status = ${sip_status}`}
        group by owner_sid`.execute(db)
      for (const { owner_sid, ...counts } of rows)
        groups.push({ value: owners.get(owner_sid.toLowerCase()) ?? null, ...counts })
      start += batch.length
      batchSize.adjust(performance.now() - startedAt)
    }
    return groups
  }

  const groupByHourCounts = async (property: CallProperty, scan: IndexScan, filter: CallFilter) => {
    const { edges, hours } = splitHours(scan.range)
    const edgeGroups = await Promise.all(edges.map((range) => groupScan(property, { ...scan, range })))
    return [...edgeGroups.flat(), ...(hours ? await groupHourCounts(property, scan, filter, hours) : [])]
  }

  return async (tenant: Tenant, filter: CallFilter, property: CallProperty): Promise<CallGroup[]> => {
    const scan = callScan(tenant, filter)
    const needsBlocks = Boolean(filter.text) || filter.application_sid !== undefined
    // The hour counts of accounts do not depend on the backfill.
    const needsIndex = needsBlocks || filter.trunk !== undefined || property === 'trunk'
    if (needsIndex && !(await isIndexed()))
      return mergeGroups(await groupWithoutBlocks(property, await scanWithoutBlocks(scan, filter)))
    return mergeGroups(
      needsBlocks
        ? await groupMatchesInBlocks(property, scan, filter)
        : await groupByHourCounts(property, scan, filter),
    )
  }
}

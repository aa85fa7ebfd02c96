import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { CallFilter, CallProperty, Tenant } from '../../../ports/call-history'
import { createAdaptiveBatchSize, createTurnQueue } from '../../sql/time-slices'
import type { IndexScan } from './index-scan'
import { ownerFilter } from './stored-rows'
import type { TextMatcher } from './text-matches'
import { isAnswered, findMatchingKinds, trunkKindOffset, toTrunkOwnerSid, type HourRange } from './time-ids'

/** The numbers of owners in one statement. SQLite reads them in this thread and blocks all other requests meanwhile. */
const batchLimits = {
  sqlite: { targetMs: 8, initialRows: 20, minRows: 2, maxRows: 500 },
  mysql: { targetMs: 100, initialRows: 200, minRows: 20, maxRows: 1000 },
}

/** Counts of calls with the same trunk or account; engines return sums as text. */
export interface GroupRow {
  value: string | null
  callCount: number | string
  answeredCount: number | string
}

/** The trunk or account that each owner of hour counts belongs to, and the offset of the kinds that are counted for them. */
interface CountOwners {
  valueByOwnerSid: Map<string, string>
  kindOffset: number
}

/** Creates a function that groups the hour counts of full hours by trunk or account. */
export const createHourCountGrouper = ({ db, engine }: Pick<Database, 'db' | 'engine'>, textMatcher: TextMatcher) => {
  const waitForTurn = createTurnQueue()

  const listAccountSids = async (tenant: Tenant): Promise<string[]> => {
    if ('account_sid' in tenant) return [tenant.account_sid]
    const rows = await db
      .selectFrom('accounts')
      .select('account_sid')
      .where('service_provider_sid', '=', tenant.service_provider_sid)
      .execute()
    return rows.map(({ account_sid }) => account_sid)
  }

  const findCountOwners = async (
    property: CallProperty,
    tenant: Tenant,
    { trunk }: CallFilter,
  ): Promise<CountOwners> => {
    if (property === 'trunk') {
      const { owner_sid, kindOffset } = ownerFilter(tenant)
      const trunks = trunk === undefined ? await textMatcher.findTrunks(tenant, '') : [trunk]
      return {
        valueByOwnerSid: new Map(trunks.map((name) => [toTrunkOwnerSid(owner_sid, name), name])),
        kindOffset: kindOffset + trunkKindOffset,
      }
    }
    const accountSids = await listAccountSids(tenant)
    return trunk === undefined
      ? { valueByOwnerSid: new Map(accountSids.map((sid) => [sid.toLowerCase(), sid])), kindOffset: 0 }
      : {
          valueByOwnerSid: new Map(accountSids.map((sid) => [toTrunkOwnerSid(sid, trunk), sid])),
          kindOffset: trunkKindOffset,
        }
  }

  return async (
    property: CallProperty,
    { tenant, sip_status }: IndexScan,
    filter: CallFilter,
    { firstHour, endHour }: HourRange,
  ): Promise<GroupRow[]> => {
    const { valueByOwnerSid, kindOffset } = await findCountOwners(property, tenant, filter)
    const kinds = findMatchingKinds(filter).map((kind) => kind + kindOffset)
    // An empty list is a syntax error in MySQL.
    const answeredKinds = sql.join([-1, ...kinds.filter(isAnswered)])
    const batchSize = createAdaptiveBatchSize(batchLimits[engine])
    const ownerSids = [...valueByOwnerSid.keys()]
    const groups: GroupRow[] = []
    for (let start = 0; start < ownerSids.length;) {
      await waitForTurn()
      const startedAt = performance.now()
      const batch = ownerSids.slice(start, start + batchSize.current())
      // Grouped in the order of the primary key, so that no engine has to sort.
      const { rows } = await sql<Omit<GroupRow, 'value'> & { owner_sid: string }>`
        select owner_sid, sum(number) as callCount,
          sum(case when kind in (${answeredKinds}) then number else 0 end) as answeredCount
        from trunkline_hour_counts
        where owner_sid in (${sql.join(batch)}) and hour >= ${firstHour} and hour < ${endHour}
          and kind in (${sql.join(kinds)}) ${sip_status === undefined ? sql`` : sql`and sip_status = ${sip_status}`}
        group by owner_sid`.execute(db)
      for (const { owner_sid, ...counts } of rows)
        groups.push({ value: valueByOwnerSid.get(owner_sid.toLowerCase()) ?? null, ...counts })
      start += batch.length
      batchSize.adjust(performance.now() - startedAt)
    }
    return groups
  }
}

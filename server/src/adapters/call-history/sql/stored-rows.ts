import { sql } from 'kysely'
import type { Tenant } from '../../../ports/call-history'
import { providerKindOffset, timestampOf } from './time-ids'

/** A call or an alert as readers return it. */
export interface StoredRow {
  time: string
  values: Record<string, unknown>
}

/** Parses rows of calls or alerts. */
export const toStoredRows = (rows: { id: number; point: string }[]): StoredRow[] =>
  rows.map(({ id, point }) => ({
    time: new Date(timestampOf(id)).toISOString(),
    values: JSON.parse(point) as Record<string, unknown>,
  }))

/**
 * Returns how queries select the rows of a tenant: the prefix of index names, the SQL condition, and the owner and kind offset of its
 * hour counts.
 */
export const ownerFilter = (tenant: Tenant) => {
  if ('account_sid' in tenant)
    return {
      indexPrefix: 'account',
      ownerCondition: sql`account_sid = ${tenant.account_sid}`,
      owner_sid: tenant.account_sid,
      kindOffset: 0,
    }
  const { service_provider_sid: owner_sid } = tenant
  return {
    indexPrefix: 'provider',
    ownerCondition: sql`service_provider_sid = ${owner_sid}`,
    owner_sid,
    kindOffset: providerKindOffset,
  }
}

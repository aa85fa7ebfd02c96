import { sql } from 'kysely'
import type { Tenant } from '../../../ports/call-history'
import { ofProvider, momentOf } from './time-ids'

/** A row as the page reads it. */
export interface Stored {
  time: string
  values: Record<string, unknown>
}

/** Rows of calls or alerts, as they came. */
export const storedOf = (rows: { id: number; point: string }[]): Stored[] =>
  rows.map(({ id, point }) => ({
    time: new Date(momentOf(id)).toISOString(),
    values: JSON.parse(point) as Record<string, unknown>,
  }))

/** Whose rows: as the names of indexes say it, as a condition, as hours are counted by, and what the owner's kinds begin at. */
export const ownerOf = (of: Tenant) => {
  if ('account_sid' in of)
    return { word: 'account', owner: sql`account_sid = ${of.account_sid}`, owner_sid: of.account_sid, offset: 0 }
  const { service_provider_sid: owner_sid } = of
  return { word: 'provider', owner: sql`service_provider_sid = ${owner_sid}`, owner_sid, offset: ofProvider }
}

import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { Kind } from '@trunkline/contract/policy/policy'
import type { EventPage } from '@trunkline/contract/shapes/recent-call'
import type { ResultPage, Tenant, EventListOptions } from '../ports/call-history'
import { checkTenantSidFormat, checkTenantAccess } from './tenant-access'

const dayMs = 86_400_000

interface TimeRangeQuery {
  days?: number | undefined
  start?: string | undefined
  end?: string | undefined
}

interface EventListQuery extends TimeRangeQuery {
  page: number
  count: number
}

/** The time range of a query. `days` counts back from now and overrides `start` and `end`. */
export const timeRangeOf = (
  { days, start, end }: TimeRangeQuery,
  now = Date.now(),
): Pick<EventListOptions, 'from' | 'to'> => {
  if (days !== undefined) return { from: now - days * dayMs }
  return {
    ...(start === undefined ? {} : { from: Date.parse(start) }),
    ...(end === undefined ? {} : { to: Date.parse(end) }),
  }
}

/** The page envelope of a event list. `page` and `page_size` are strings on the wire. */
export const toEventPage = <Row>(
  { page, count }: EventListQuery,
  { total, rows }: ResultPage<Row>,
): EventPage<Row> => ({
  total,
  page_size: String(count),
  page: String(page),
  data: rows,
})

/** Checks that the actor may access the account in the path, and returns the tenant. */
export const requireAccountAccess = async (
  actor: Actor,
  kind: Kind,
  account_sid: string,
  providerOf: (account_sid: string) => Promise<string | null | undefined>,
): Promise<{ tenant: Tenant; owner: Owner }> => {
  checkTenantSidFormat(actor, 'Accounts', account_sid)
  const owner = { service_provider_sid: (await providerOf(account_sid)) ?? null, account_sid }
  checkTenantAccess(actor, 'read', kind, owner)
  return { tenant: { account_sid }, owner }
}

/** Checks that the actor may access the provider in the path, and returns the tenant. */
export const requireProviderAccess = (
  actor: Actor,
  kind: Kind,
  service_provider_sid: string,
): { tenant: Tenant; owner: Owner } => {
  checkTenantSidFormat(actor, 'ServiceProviders', service_provider_sid)
  const owner = { service_provider_sid, account_sid: null }
  checkTenantAccess(actor, 'read', kind, owner)
  return { tenant: { service_provider_sid }, owner }
}

import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import type { Actor } from '@trunkline/contract/policy/actor'
import {
  alertGroupsOfAccount,
  alertGroupsOfProvider,
  alertsOfAccount,
  alertsOfProvider,
} from '@trunkline/contract/resources/alert'
import {
  alertSchema,
  alertGroupQuerySchema,
  alertGroupSchema,
  alertQuerySchema,
  eventPageSchema,
} from '@trunkline/contract/shapes/recent-call'
import { addAccountAndApplicationNames } from '../../db/record-names'
import { mountRoute } from '../../http/mount-route'
import { requireAccountAccess, requireProviderAccess, toEventPage, timeRangeOf } from '../../http/event-list'
import type { AlertGroupListOptions, AlertListOptions, Tenant } from '../../ports/call-history'
import type { Services } from '../../composition/services'

type AlertQuery = z.output<typeof alertQuerySchema>
type AlertGroupQuery = z.output<typeof alertGroupQuerySchema>

const alertListSchemas = {
  query: alertQuerySchema,
  response: eventPageSchema(alertSchema),
  requiresWellFormedSids: false,
}
const alertGroupListSchemas = {
  query: alertGroupQuerySchema,
  response: eventPageSchema(alertGroupSchema),
  requiresWellFormedSids: false,
}

const toListOptions = (query: AlertQuery): AlertListOptions => {
  const { page, count, alert_type, filter: text, message } = query
  return {
    page,
    count,
    ...timeRangeOf(query),
    ...(alert_type === undefined ? {} : { alert_type }),
    ...(text === undefined ? {} : { text }),
    ...(message === undefined ? {} : { message }),
  }
}

const toGroupListOptions = (query: AlertGroupQuery): AlertGroupListOptions => ({
  ...toListOptions(query),
  isByAccount: query.by === 'account',
  hasHistory: query.history !== undefined,
})

/** Alerts of an account, or of a provider and all its accounts. */
export const alertRoutes = (
  app: FastifyInstance,
  { callHistory, accounts, store }: Pick<Services, 'callHistory' | 'accounts' | 'store'>,
): void => {
  const { db } = store.database
  /** Throws unless the actor may read alerts of the account. Returns the account as the tenant to list. */
  const authorizeAccount = async (actor: Actor, account_sid: string) =>
    (await requireAccountAccess(actor, 'alert', account_sid, (sid) => accounts.providerOf(sid))).tenant
  const authorizeProvider = (actor: Actor, service_provider_sid: string) =>
    requireProviderAccess(actor, 'alert', service_provider_sid).tenant

  const listAlerts = async (tenant: Tenant, query: AlertQuery) => {
    const { total, rows } = await callHistory.listAlerts(tenant, toListOptions(query))
    return toEventPage(query, { total, rows: await addAccountAndApplicationNames(db, rows) })
  }
  const listAlertGroups = async (tenant: Tenant, query: AlertGroupQuery) => {
    const { total, rows } = await callHistory.listAlertGroups(tenant, toGroupListOptions(query))
    return toEventPage(query, { total, rows: await addAccountAndApplicationNames(db, rows) })
  }

  mountRoute(app, alertsOfAccount, alertListSchemas, async ({ actor, params, query }) =>
    listAlerts(await authorizeAccount(actor, params.account_sid), query),
  )
  mountRoute(app, alertsOfProvider, alertListSchemas, ({ actor, params, query }) =>
    listAlerts(authorizeProvider(actor, params.service_provider_sid), query),
  )
  mountRoute(app, alertGroupsOfAccount, alertGroupListSchemas, async ({ actor, params, query }) =>
    listAlertGroups(await authorizeAccount(actor, params.account_sid), query),
  )
  mountRoute(app, alertGroupsOfProvider, alertGroupListSchemas, ({ actor, params, query }) =>
    listAlertGroups(authorizeProvider(actor, params.service_provider_sid), query),
  )
}

import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Actor } from '@trunkline/contract/policy/actor'
import {
  alertGroupsOfAccount,
  alertGroupsOfProvider,
  alertsOfAccount,
  alertsOfProvider,
} from '@trunkline/contract/resources/alert'
import { alert, alertGroup, alertQuery, timedPageOf } from '@trunkline/contract/shapes/recent-call'
import { withAccountAndApplicationNames } from '../../db/record-names'
import { mountRoute } from '../../http/mount-route'
import { accountTenant, providerTenant, toTimedPage, timeRangeOf } from '../../http/timed-list'
import type { AlertListOptions, Tenant } from '../../ports/call-history'
import type { Services } from '../../services'

type Query = z.output<typeof alertQuery>

const listShapes = { query: alertQuery, response: timedPageOf(alert), checkSids: false }
const groupShapes = { query: alertQuery, response: timedPageOf(alertGroup), checkSids: false }

const toAlertQuery = (query: Query): AlertListOptions => {
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

/** Alerts of an account, or of a provider and all its accounts. */
export const alertRoutes = (app: FastifyInstance, { callHistory, accounts, store }: Services): void => {
  const { db } = store.database
  const authorizeAccount = async (actor: Actor, account_sid: string) =>
    (await accountTenant(actor, 'alert', account_sid, (sid) => accounts.providerOf(sid))).tenant
  const authorizeProvider = (actor: Actor, service_provider_sid: string) =>
    providerTenant(actor, 'alert', service_provider_sid).tenant

  const listAlerts = async (tenant: Tenant, query: Query) => {
    const { total, rows } = await callHistory.alerts(tenant, toAlertQuery(query))
    return toTimedPage(query, { total, rows: await withAccountAndApplicationNames(db, rows) })
  }
  const listGroups = async (tenant: Tenant, query: Query) => {
    const { total, rows } = await callHistory.alertGroups(tenant, toAlertQuery(query))
    return toTimedPage(query, { total, rows: await withAccountAndApplicationNames(db, rows) })
  }

  mountRoute(app, alertsOfAccount, listShapes, async ({ actor, params, query }) =>
    listAlerts(await authorizeAccount(actor, params.account_sid), query),
  )
  mountRoute(app, alertsOfProvider, listShapes, ({ actor, params, query }) =>
    listAlerts(authorizeProvider(actor, params.service_provider_sid), query),
  )
  mountRoute(app, alertGroupsOfAccount, groupShapes, async ({ actor, params, query }) =>
    listGroups(await authorizeAccount(actor, params.account_sid), query),
  )
  mountRoute(app, alertGroupsOfProvider, groupShapes, ({ actor, params, query }) =>
    listGroups(authorizeProvider(actor, params.service_provider_sid), query),
  )
}

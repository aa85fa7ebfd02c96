import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { alertsOfAccount, alertsOfProvider } from '@trunkline/contract/resources/alert'
import { alert, alertQuery, timed } from '@trunkline/contract/shapes/recent-call'
import { withNames } from '../../db/names'
import { bind } from '../../http/bind'
import { accountTenant, providerTenant, timedPage, timesOf } from '../../http/timed'
import type { Tenant } from '../../ports/call-history'
import type { Services } from '../../services'

const shapes = { query: alertQuery, answer: timed(alert), checkSids: false }

/** The alerts of an account, and those of a provider with all its accounts. */
export const alertRoutes = (app: FastifyInstance, { callHistory, accounts, store }: Services): void => {
  const list = async (tenant: Tenant, query: z.output<typeof alertQuery>) => {
    const { alert_type } = query
    const look = {
      page: query.page,
      count: query.count,
      ...timesOf(query),
      ...(alert_type === undefined ? {} : { alert_type }),
    }
    const { total, rows } = await callHistory.alerts(tenant, look)
    return timedPage(query, { total, rows: await withNames(store.database.db, rows) })
  }

  bind(app, alertsOfAccount, shapes, async ({ actor, params, query }) => {
    const { tenant } = await accountTenant(actor, 'alert', params.account_sid, (sid) => accounts.providerOf(sid))
    return list(tenant, query)
  })
  bind(app, alertsOfProvider, shapes, ({ actor, params, query }) =>
    list(providerTenant(actor, 'alert', params.service_provider_sid).tenant, query),
  )
}

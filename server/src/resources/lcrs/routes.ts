import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { listQuery } from '@trunkline/contract/kit/fields'
import { addRoutes, lcr, saveRoutes } from '@trunkline/contract/resources/lcr'
import { create, routeList, row, update, type RouteList } from '@trunkline/contract/shapes/lcr'
import { contains, type Look } from '../../db/table'
import { bind } from '../../http/bind'
import { badRequest, notFound } from '../../http/problem'
import { serve } from '../../http/serve'
import type { Services } from '../../services'
import { checkCarriers, checkOnlyOne, lcrFor, lcrOwner } from './owner'

/** Bytes: some thousand routes. */
const routesLimit = 2 * 1024 * 1024

const look = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuery>): Look => ({
  where: [
    ...(name ? [contains(sql`t.name`, name)] : []),
    ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
    // Of a provider an administrator sees its own table and those of its accounts.
    ...(service_provider_sid
      ? [
          sql`(t.service_provider_sid = ${service_provider_sid} or t.account_sid in
            (select account_sid from accounts where service_provider_sid = ${service_provider_sid}))`,
        ]
      : []),
  ],
})

const unknown = () => badRequest('unknown lcr_sid')

export const lcrRoutes = (app: FastifyInstance, services: Services): void => {
  const { lcrs } = services

  /** The default is a carrier of one of the table's own routes. */
  const checkDefault = async (lcr_sid: string, entry_sid: unknown) => {
    if (typeof entry_sid !== 'string') return
    const entry = await lcrs.entry(entry_sid)
    const route = entry && (await lcrs.route(entry.lcr_route_sid))
    if (route?.lcr_sid !== lcr_sid)
      throw badRequest('unknown default_carrier_set_entry_sid', 'default_carrier_set_entry_sid')
  }

  serve(app, lcr, lcrs, {
    row,
    create,
    update,
    checkSids: false,
    missing: {
      read: notFound,
      update: unknown,
      remove: (_, { scope }) => (scope === 'account' ? unknown() : notFound()),
    },
    look,
    ownerOf: (draft, actor) => lcrOwner(draft, actor, services),
    add: async ({ number_routes: _, ...draft }, lcr_sid, actor) => {
      const owner = await lcrOwner(draft, actor, services)
      await checkOnlyOne(owner, services)
      await checkDefault(lcr_sid, draft.default_carrier_set_entry_sid)
      await lcrs.add({ ...draft, ...owner, lcr_sid })
    },
    change: async (before, { number_routes: _, ...changes }, actor) => {
      // Whose a table is changes only where the body says so.
      const named = Boolean(changes.account_sid) || Boolean(changes.service_provider_sid)
      const owner = named && actor.scope === 'admin' ? await lcrOwner(changes, actor, services) : before.owner
      if (owner !== before.owner) await checkOnlyOne(owner, services, before.lcr_sid)
      await checkDefault(before.lcr_sid, changes.default_carrier_set_entry_sid)
      await lcrs.change(before.lcr_sid, { ...changes, ...owner })
    },
    remove: ({ lcr_sid }) => lcrs.removeWhole(lcr_sid),
  })

  const carriersIn = (list: RouteList) =>
    list.flatMap(({ lcr_carrier_set_entries }) =>
      lcr_carrier_set_entries.map(({ voip_carrier_sid }) => voip_carrier_sid),
    )

  bind(
    app,
    addRoutes,
    { body: routeList, checkSids: false, bodyLimit: routesLimit },
    async ({ params, body, actor }) => {
      const found = await lcrFor(services, actor, 'update', params.lcr_sid, notFound)
      await checkCarriers(found, carriersIn(body), services)
      const fresh = body.map((each) => ({ ...each, lcr_route_sid: null }))
      await lcrs.save(found.lcr_sid, fresh, { replace: false })
    },
  )

  const query = z.looseObject({ replace: z.string().optional() })
  const shapes = { query, body: routeList, checkSids: false, bodyLimit: routesLimit }
  bind(app, saveRoutes, shapes, async ({ params, query: asked, body, actor }) => {
    const found = await lcrFor(services, actor, 'update', params.lcr_sid, notFound)
    await checkCarriers(found, carriersIn(body), services)
    await lcrs.save(found.lcr_sid, body, { replace: asked.replace === '1' })
  })
}

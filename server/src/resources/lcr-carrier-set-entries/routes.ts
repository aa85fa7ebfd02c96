import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { created } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { lcrCarrierSetEntry } from '@trunkline/contract/resources/lcr'
import { createEntry, entryRow, updateEntry } from '@trunkline/contract/shapes/lcr'
import { mountRoute } from '../../http/mount-route'
import { badRequest, notFound, type Problem } from '../../http/problem'
import type { Services } from '../../services'
import { checkCarriers, lcrFor } from '../lcrs/public'

/** The carriers of a route; each is as reachable as the route's table. */
export const lcrCarrierSetEntryRoutes = (app: FastifyInstance, services: Services): void => {
  const { lcrs, store } = services
  const { db } = store.database
  const unknownRoute = () => badRequest('unknown lcr_route_sid', 'lcr_route_sid')

  /** The table of a route that the actor may do this with. */
  const tableOf = async (actor: Actor, action: 'read' | 'update', route_sid: string, missing: () => Problem) => {
    const route = await lcrs.route(route_sid)
    if (!route) throw missing()
    return lcrFor(services, actor, action, route.lcr_sid, missing)
  }

  const find = async (actor: Actor, action: 'read' | 'update', sid: string) => {
    const found = await lcrs.entry(sid)
    if (!found) throw notFound()
    return { found, table: await tableOf(actor, action, found.lcr_route_sid, notFound) }
  }

  const query = z.looseObject({
    lcr_route_sid: z.string('missing lcr_route_sid').min(1, 'missing lcr_route_sid'),
  })
  mountRoute(app, lcrCarrierSetEntry.list, { query, answer: z.array(entryRow) }, async ({ query: asked, actor }) => {
    await tableOf(actor, 'read', asked.lcr_route_sid, unknownRoute)
    return (await lcrs.route(asked.lcr_route_sid))?.lcr_carrier_set_entries ?? []
  })

  mountRoute(app, lcrCarrierSetEntry.read, { answer: entryRow, checkSids: false }, async ({ params, actor }) => {
    return (await find(actor, 'read', params.lcr_carrier_set_entry_sid)).found
  })

  mountRoute(app, lcrCarrierSetEntry.create, { body: createEntry, answer: created }, async ({ body, actor }) => {
    const { lcr_route_sid, voip_carrier_sid, workload = 1, priority = 0 } = body
    const table = await tableOf(actor, 'update', lcr_route_sid, unknownRoute)
    await checkCarriers({ ...table, actor }, [[voip_carrier_sid, 'voip_carrier_sid']], services)
    const sid = randomUUID()
    await db
      .insertInto('lcr_carrier_set_entry')
      .values({ lcr_carrier_set_entry_sid: sid, lcr_route_sid, voip_carrier_sid, workload, priority })
      .execute()
    return { sid }
  })

  mountRoute(
    app,
    lcrCarrierSetEntry.update,
    { body: updateEntry, checkSids: false },
    async ({ params, body, actor }) => {
      const { found, table } = await find(actor, 'update', params.lcr_carrier_set_entry_sid)
      const after = { ...found, ...body }
      const target =
        after.lcr_route_sid === found.lcr_route_sid
          ? table
          : await tableOf(actor, 'update', after.lcr_route_sid, unknownRoute)
      await checkCarriers({ ...target, actor }, [[after.voip_carrier_sid, 'voip_carrier_sid']], services)
      const { lcr_route_sid, voip_carrier_sid, workload, priority } = after
      await db
        .updateTable('lcr_carrier_set_entry')
        .set({ lcr_route_sid, voip_carrier_sid, workload, priority })
        .where('lcr_carrier_set_entry_sid', '=', found.lcr_carrier_set_entry_sid)
        .execute()
    },
  )

  mountRoute(app, lcrCarrierSetEntry.remove, { checkSids: false }, async ({ params, actor }) => {
    const { found } = await find(actor, 'update', params.lcr_carrier_set_entry_sid)
    await lcrs.removeEntry(found.lcr_carrier_set_entry_sid)
  })
}

import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createdResponse } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { lcrCarrierSetEntry } from '@trunkline/contract/resources/lcr'
import { createEntry, entryRow, updateEntry } from '@trunkline/contract/shapes/lcr'
import { mountRoute } from '../../http/mount-route'
import { notFound, type Problem } from '../../http/problem'
import { unknownReference } from '../../shared/refusals'
import type { Services } from '../../services'
import { checkCarriers, findLcr } from '../lcrs/public'

/** The carriers of an LCR route. Permissions are those of the LCR. */
export const lcrCarrierSetEntryRoutes = (app: FastifyInstance, services: Services): void => {
  const { lcrs, store } = services
  const { db } = store.database
  const unknownRoute = () => unknownReference('lcr_route_sid')

  /** The LCR of a route, if the actor is permitted this action. */
  const findLcrOfRoute = async (actor: Actor, action: 'read' | 'update', route_sid: string, missing: () => Problem) => {
    const route = await lcrs.route(route_sid)
    if (!route) throw missing()
    return findLcr(services, actor, action, route.lcr_sid, missing)
  }

  const findEntry = async (actor: Actor, action: 'read' | 'update', sid: string) => {
    const entry = await lcrs.entry(sid)
    if (!entry) throw notFound()
    return { entry, lcr: await findLcrOfRoute(actor, action, entry.lcr_route_sid, notFound) }
  }

  const query = z.looseObject({
    lcr_route_sid: z.string('missing lcr_route_sid').min(1, 'missing lcr_route_sid'),
  })
  mountRoute(
    app,
    lcrCarrierSetEntry.list,
    { query, response: z.array(entryRow) },
    async ({ query: queryParams, actor }) => {
      await findLcrOfRoute(actor, 'read', queryParams.lcr_route_sid, unknownRoute)
      return (await lcrs.route(queryParams.lcr_route_sid))?.lcr_carrier_set_entries ?? []
    },
  )

  mountRoute(app, lcrCarrierSetEntry.read, { response: entryRow, checkSids: false }, async ({ params, actor }) => {
    return (await findEntry(actor, 'read', params.lcr_carrier_set_entry_sid)).entry
  })

  mountRoute(
    app,
    lcrCarrierSetEntry.create,
    { body: createEntry, response: createdResponse },
    async ({ body, actor }) => {
      const { lcr_route_sid, voip_carrier_sid, workload = 1, priority = 0 } = body
      const lcr = await findLcrOfRoute(actor, 'update', lcr_route_sid, unknownRoute)
      await checkCarriers({ ...lcr, actor }, [[voip_carrier_sid, 'voip_carrier_sid']], services)
      const sid = randomUUID()
      await db
        .insertInto('lcr_carrier_set_entry')
        .values({ lcr_carrier_set_entry_sid: sid, lcr_route_sid, voip_carrier_sid, workload, priority })
        .execute()
      return { sid }
    },
  )

  mountRoute(
    app,
    lcrCarrierSetEntry.update,
    { body: updateEntry, checkSids: false },
    async ({ params, body, actor }) => {
      const { entry, lcr } = await findEntry(actor, 'update', params.lcr_carrier_set_entry_sid)
      const updated = { ...entry, ...body }
      const targetLcr =
        updated.lcr_route_sid === entry.lcr_route_sid
          ? lcr
          : await findLcrOfRoute(actor, 'update', updated.lcr_route_sid, unknownRoute)
      await checkCarriers({ ...targetLcr, actor }, [[updated.voip_carrier_sid, 'voip_carrier_sid']], services)
      const { lcr_route_sid, voip_carrier_sid, workload, priority } = updated
      await db
        .updateTable('lcr_carrier_set_entry')
        .set({ lcr_route_sid, voip_carrier_sid, workload, priority })
        .where('lcr_carrier_set_entry_sid', '=', entry.lcr_carrier_set_entry_sid)
        .execute()
    },
  )

  mountRoute(app, lcrCarrierSetEntry.remove, { checkSids: false }, async ({ params, actor }) => {
    const { entry } = await findEntry(actor, 'update', params.lcr_carrier_set_entry_sid)
    await lcrs.removeEntry(entry.lcr_carrier_set_entry_sid)
  })
}

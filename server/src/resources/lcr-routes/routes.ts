import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createdResponse } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { lcrRoute } from '@trunkline/contract/resources/lcr'
import { createRoute, routeRow, updateRoute } from '@trunkline/contract/shapes/lcr'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import type { Services } from '../../services'
import { findLcr } from '../lcrs/public'

/** The routes of an LCR. Permissions are those of the LCR. */
export const lcrRouteRoutes = (app: FastifyInstance, services: Services): void => {
  const { lcrs, store } = services
  const { db } = store.database

  const findRoute = async (actor: Actor, action: 'read' | 'update', sid: string) => {
    const route = await lcrs.route(sid)
    if (!route) throw notFound()
    await findLcr(services, actor, action, route.lcr_sid, notFound)
    return route
  }

  const query = z.looseObject({ lcr_sid: z.string('missing lcr_sid').min(1, 'missing lcr_sid') })
  mountRoute(app, lcrRoute.list, { query, response: z.array(routeRow) }, async ({ query: { lcr_sid }, actor }) => {
    await findLcr(services, actor, 'read', lcr_sid)
    return lcrs.routesOf(lcr_sid)
  })

  mountRoute(app, lcrRoute.read, { response: routeRow, checkSids: false }, ({ params, actor }) =>
    findRoute(actor, 'read', params.lcr_route_sid),
  )

  mountRoute(app, lcrRoute.create, { body: createRoute, response: createdResponse }, async ({ body, actor }) => {
    await findLcr(services, actor, 'update', body.lcr_sid)
    const { lcr_sid, regex, priority, description = null } = body
    const sid = randomUUID()
    await db.insertInto('lcr_routes').values({ lcr_route_sid: sid, lcr_sid, regex, priority, description }).execute()
    return { sid }
  })

  mountRoute(app, lcrRoute.update, { body: updateRoute, checkSids: false }, async ({ params, body, actor }) => {
    const current = await findRoute(actor, 'update', params.lcr_route_sid)
    if (body.lcr_sid && body.lcr_sid !== current.lcr_sid) await findLcr(services, actor, 'update', body.lcr_sid)
    const { lcr_sid = current.lcr_sid, regex = current.regex, priority = current.priority } = body
    const { description = current.description } = body
    await db
      .updateTable('lcr_routes')
      .set({ lcr_sid, regex, priority, description })
      .where('lcr_route_sid', '=', params.lcr_route_sid)
      .execute()
  })

  mountRoute(app, lcrRoute.remove, { checkSids: false }, async ({ params, actor }) => {
    await findRoute(actor, 'update', params.lcr_route_sid)
    await lcrs.removeRoute(params.lcr_route_sid)
  })
}

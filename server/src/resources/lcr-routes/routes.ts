import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { created } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { lcrRoute } from '@trunkline/contract/resources/lcr'
import { createRoute, routeRow, updateRoute } from '@trunkline/contract/shapes/lcr'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import type { Services } from '../../services'
import { lcrFor } from '../lcrs/public'

/** The single routes of a table; each is as reachable as its table. */
export const lcrRouteRoutes = (app: FastifyInstance, services: Services): void => {
  const { lcrs, store } = services
  const { db } = store.database

  const find = async (actor: Actor, action: 'read' | 'update', sid: string) => {
    const found = await lcrs.route(sid)
    if (!found) throw notFound()
    await lcrFor(services, actor, action, found.lcr_sid, notFound)
    return found
  }

  const query = z.looseObject({ lcr_sid: z.string('missing lcr_sid').min(1, 'missing lcr_sid') })
  mountRoute(app, lcrRoute.list, { query, answer: z.array(routeRow) }, async ({ query: { lcr_sid }, actor }) => {
    await lcrFor(services, actor, 'read', lcr_sid)
    return lcrs.routesOf(lcr_sid)
  })

  mountRoute(app, lcrRoute.read, { answer: routeRow, checkSids: false }, ({ params, actor }) =>
    find(actor, 'read', params.lcr_route_sid),
  )

  mountRoute(app, lcrRoute.create, { body: createRoute, answer: created }, async ({ body, actor }) => {
    await lcrFor(services, actor, 'update', body.lcr_sid)
    const { lcr_sid, regex, priority, description = null } = body
    const sid = randomUUID()
    await db.insertInto('lcr_routes').values({ lcr_route_sid: sid, lcr_sid, regex, priority, description }).execute()
    return { sid }
  })

  mountRoute(app, lcrRoute.update, { body: updateRoute, checkSids: false }, async ({ params, body, actor }) => {
    const before = await find(actor, 'update', params.lcr_route_sid)
    if (body.lcr_sid && body.lcr_sid !== before.lcr_sid) await lcrFor(services, actor, 'update', body.lcr_sid)
    const { lcr_sid = before.lcr_sid, regex = before.regex, priority = before.priority } = body
    const { description = before.description } = body
    await db
      .updateTable('lcr_routes')
      .set({ lcr_sid, regex, priority, description })
      .where('lcr_route_sid', '=', params.lcr_route_sid)
      .execute()
  })

  mountRoute(app, lcrRoute.remove, { checkSids: false }, async ({ params, actor }) => {
    await find(actor, 'update', params.lcr_route_sid)
    await lcrs.removeRoute(params.lcr_route_sid)
  })
}

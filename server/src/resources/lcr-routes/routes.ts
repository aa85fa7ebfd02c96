import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { createdResponseSchema } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { lcrRoute } from '@trunkline/contract/resources/lcr'
import { lcrRouteDraftSchema, lcrRouteSchema, lcrRouteChangesSchema } from '@trunkline/contract/shapes/lcr'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import type { Services } from '../../composition/services'
import { checkCarriers, findPermittedLcr } from '../lcrs/public'

/** The API routes for single routes of an LCR. Their permissions are those of the LCR. */
export const lcrRouteApiRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'lcrs' | 'lcrRoutes' | 'accounts' | 'voipCarriers'>,
): void => {
  const { lcrRoutes } = services

  const findPermittedRoute = async (actor: Actor, action: 'read' | 'update', sid: string) => {
    const route = await lcrRoutes.find(sid)
    if (!route) throw notFound()
    await findPermittedLcr(services, actor, action, route.lcr_sid, notFound)
    return route
  }

  const listQuery = z.looseObject({ lcr_sid: z.string('missing lcr_sid').min(1, 'missing lcr_sid') })
  mountRoute(
    app,
    lcrRoute.list,
    { query: listQuery, response: z.array(lcrRouteSchema) },
    async ({ query: { lcr_sid }, actor }) => {
      await findPermittedLcr(services, actor, 'read', lcr_sid)
      return lcrRoutes.listByLcr(lcr_sid)
    },
  )

  mountRoute(app, lcrRoute.read, { response: lcrRouteSchema, requiresWellFormedSids: false }, ({ params, actor }) =>
    findPermittedRoute(actor, 'read', params.lcr_route_sid),
  )

  mountRoute(
    app,
    lcrRoute.create,
    { body: lcrRouteDraftSchema, response: createdResponseSchema },
    async ({ body, actor }) => {
      await findPermittedLcr(services, actor, 'update', body.lcr_sid)
      const { lcr_sid, regex, priority, description = null } = body
      const lcr_route_sid = randomUUID()
      await lcrRoutes.insert({ lcr_route_sid, lcr_sid, regex, priority, description })
      return { sid: lcr_route_sid }
    },
  )

  mountRoute(
    app,
    lcrRoute.update,
    { body: lcrRouteChangesSchema, requiresWellFormedSids: false },
    async ({ params, body, actor }) => {
      const current = await findPermittedRoute(actor, 'update', params.lcr_route_sid)
      const { lcr_sid = current.lcr_sid, regex = current.regex, priority = current.priority } = body
      const { description = current.description } = body
      const columns = { lcr_sid, regex, priority, description }
      if (lcr_sid === current.lcr_sid) return lcrRoutes.update(current.lcr_route_sid, columns)
      const targetLcr = await findPermittedLcr(services, actor, 'update', lcr_sid)
      const carriers = current.lcr_carrier_set_entries.map(({ voip_carrier_sid }) => ({
        voip_carrier_sid,
        field: 'lcr_sid',
      }))
      await checkCarriers({ ...targetLcr, actor }, carriers, services)
      await lcrRoutes.moveToOtherLcr(current.lcr_route_sid, columns)
    },
  )

  mountRoute(app, lcrRoute.remove, { requiresWellFormedSids: false }, async ({ params, actor }) => {
    await findPermittedRoute(actor, 'update', params.lcr_route_sid)
    await lcrRoutes.remove(params.lcr_route_sid)
  })
}

import type { FastifyInstance } from 'fastify'
import { messageFromCarrier, messageToCarrier } from '@trunkline/contract/resources/messaging'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'

/** Carriers and voice servers send no credential. They get 404 for an unknown provider, not 401. */
export const messagingRoutes = (app: FastifyInstance): void => {
  for (const route of [messageFromCarrier, messageToCarrier])
    mountRoute(app, route, {}, () => {
      throw notFound()
    })
}

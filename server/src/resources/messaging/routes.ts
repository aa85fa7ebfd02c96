import type { FastifyInstance } from 'fastify'
import { messageFromCarrier, messageToCarrier } from '@trunkline/contract/resources/messaging'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'

/** Carriers and voice servers come without a credential: they are told that there is no such provider, not to sign in. */
export const messagingRoutes = (app: FastifyInstance): void => {
  for (const route of [messageFromCarrier, messageToCarrier])
    mountRoute(app, route, {}, () => {
      throw notFound()
    })
}

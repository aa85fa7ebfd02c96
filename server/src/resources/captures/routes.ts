import type { FastifyInstance } from 'fastify'
import { can } from '@trunkline/contract/policy/can'
import { findRefusal } from '@trunkline/contract/policy/refusal'
import { capturedDialogs } from '@trunkline/contract/resources/capture'
import { capturePageSchema, captureQuerySchema } from '@trunkline/contract/shapes/capture'
import { mountRoute } from '../../http/mount-route'
import { notFound, refusalProblem } from '../../http/problem'
import type { Services } from '../../composition/services'

/** Lists all captured SIP dialogs, including those without a call record or a carrier. For administrators only. */
export const captureRoutes = (app: FastifyInstance, { captures }: Pick<Services, 'captures'>): void => {
  mountRoute(
    app,
    capturedDialogs,
    { query: captureQuerySchema, response: capturePageSchema },
    async ({ actor, query }) => {
      if (!can(actor, 'list', 'capture')) throw refusalProblem(findRefusal('capture', 'list', actor.scope))
      if (!captures.listDialogs) throw notFound()
      const { filter: text, dialogue, before } = query
      return captures.listDialogs({
        ...(text === undefined ? {} : { text }),
        ...(dialogue === undefined ? {} : { dialogType: dialogue }),
        ...(before === undefined ? {} : { beforeSid: before }),
      })
    },
  )
}

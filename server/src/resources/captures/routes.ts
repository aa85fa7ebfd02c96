import type { FastifyInstance } from 'fastify'
import { can } from '@trunkline/contract/policy/can'
import { findRefusal } from '@trunkline/contract/policy/refusal'
import { capturedDialogues } from '@trunkline/contract/resources/capture'
import { capturePage, captureQuery } from '@trunkline/contract/shapes/capture'
import { mountRoute } from '../../http/mount-route'
import { notFound, refusalProblem } from '../../http/problem'
import type { Services } from '../../services'

/** All captured SIP dialogues, including those without a call record or carrier. */
export const captureRoutes = (app: FastifyInstance, { captures }: Services): void => {
  mountRoute(app, capturedDialogues, { query: captureQuery, response: capturePage }, async ({ actor, query }) => {
    if (!can(actor, 'list', 'capture')) throw refusalProblem(findRefusal('capture', 'list', actor.scope))
    if (!captures.list) throw notFound()
    const { filter: text, dialogue, before } = query
    return captures.list({
      ...(text === undefined ? {} : { text }),
      ...(dialogue === undefined ? {} : { dialogue }),
      ...(before === undefined ? {} : { beforeSid: before }),
    })
  })
}

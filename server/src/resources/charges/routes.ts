import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { charges } from '@trunkline/contract/resources/charge'
import { mountRoute } from '../../http/mount-route'
import { requireAccountAccess } from '../../http/event-list'
import type { Services } from '../../composition/services'

/** Charges are not supported. Existing clients expect an empty list rather than a 404. */
export const chargeRoutes = (app: FastifyInstance, { accounts }: Pick<Services, 'accounts'>): void => {
  mountRoute(
    app,
    charges,
    { response: z.array(z.never()), requiresWellFormedSids: false },
    async ({ actor, params: { account_sid } }) => {
      await requireAccountAccess(actor, 'account', account_sid, (sid) => accounts.providerOf(sid))
      return []
    },
  )
}

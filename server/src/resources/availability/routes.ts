import type { FastifyInstance } from 'fastify'
import { availability } from '@trunkline/contract/resources/availability'
import { availabilityResponseSchema, availabilityQuerySchema } from '@trunkline/contract/shapes/availability'
import { mountRoute } from '../../http/mount-route'
import type { Services } from '../../composition/services'

/** Reports whether a SIP realm, an email address or a phone number is unused, so that a form can warn before it is saved. */
export const availabilityRoutes = (
  app: FastifyInstance,
  { accounts, users }: Pick<Services, 'accounts' | 'users'>,
): void => {
  mountRoute(
    app,
    availability,
    { query: availabilityQuerySchema, response: availabilityResponseSchema },
    async ({ query: { type, value } }) => {
      const isDuplicate =
        type === 'subdomain' ? await accounts.isDuplicateRealm(value) : await users.isDuplicate(type, value)
      return { available: !isDuplicate }
    },
  )
}

import type { FastifyInstance } from 'fastify'
import { availability } from '@trunkline/contract/resources/availability'
import { availabilityResponse, availabilityQuery } from '@trunkline/contract/shapes/availability'
import { mountRoute } from '../../http/mount-route'
import type { Services } from '../../services'

export const availabilityRoutes = (app: FastifyInstance, { accounts, users }: Services): void => {
  mountRoute(
    app,
    availability,
    { query: availabilityQuery, response: availabilityResponse },
    async ({ query: { type, value } }) => {
      const isDuplicate =
        type === 'subdomain' ? await accounts.isDuplicateRealm(value) : await users.isDuplicate(type, value)
      return { available: !isDuplicate }
    },
  )
}

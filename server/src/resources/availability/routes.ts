import type { FastifyInstance } from 'fastify'
import { availability } from '@trunkline/contract/resources/availability'
import { availabilityResponse, availabilityQuery } from '@trunkline/contract/shapes/availability'
import { mountRoute } from '../../http/mount-route'
import type { Services } from '../../services'

export const availabilityRoutes = (app: FastifyInstance, { accounts, users }: Services): void => {
  mountRoute(
    app,
    availability,
    { query: availabilityQuery, answer: availabilityResponse },
    async ({ query: { type, value } }) => {
      const isTaken = type === 'subdomain' ? await accounts.isRealmTaken(value) : await users.isTaken(type, value)
      return { available: !isTaken }
    },
  )
}

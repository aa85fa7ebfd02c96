import type { FastifyInstance } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { availability } from '@trunkline/contract/resources/availability'
import { availabilityResponseSchema, availabilityQuerySchema } from '@trunkline/contract/shapes/availability'
import { mountRoute } from '../../http/mount-route'
import { isReservedSubdomain } from '../sip-realms/public'
import type { Services } from '../../composition/services'

/** Reports whether a SIP realm, an email address or a phone number is unused, so that a form can warn before it is saved. */
export const availabilityRoutes = (
  app: FastifyInstance,
  { accounts, users, hostedEdition }: Pick<Services, 'accounts' | 'users' | 'hostedEdition'>,
): void => {
  /**
   * In the hosted edition anyone can get an account. Its users learn nothing about users of other accounts: their values
   * count as available.
   */
  const isDuplicateOfUser = async (column: 'email' | 'phone', value: string, actor: Actor): Promise<boolean> =>
    hostedEdition && actor.scope === 'account'
      ? users.isDuplicateInAccount(column, value, actor.account_sid)
      : users.isDuplicate(column, value)

  /** The value is the complete realm: the subdomain is its first label. */
  const isUnavailableRealm = async (realm: string): Promise<boolean> =>
    (hostedEdition !== undefined && isReservedSubdomain(realm.split('.')[0]!.toLowerCase())) ||
    (await accounts.isDuplicateRealm(realm))

  mountRoute(
    app,
    availability,
    { query: availabilityQuerySchema, response: availabilityResponseSchema },
    async ({ query: { type, value }, actor }) => {
      const isDuplicate =
        type === 'subdomain' ? await isUnavailableRealm(value) : await isDuplicateOfUser(type, value, actor)
      return { available: !isDuplicate }
    },
  )
}

import type { FastifyRequest } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Services } from '../../composition/services'
import { refuseWhileWaiting } from '../../shared/attempt-limits'

const probeLimit = { name: 'names and addresses of users', max: 60, seconds: 3600 }

/**
 * Returns a function that counts the names and addresses that actors of an account choose for users. Throws 429 over the
 * limit. In the hosted edition anyone can become such an actor, and the refusal of a duplicate tells that another tenant has a
 * user with this address.
 */
export const createProbeLimit =
  ({ attemptCounts, hostedEdition }: Pick<Services, 'attemptCounts' | 'hostedEdition'>) =>
  async (actor: Actor, { ip }: Pick<FastifyRequest, 'ip'>): Promise<void> => {
    if (!hostedEdition || actor.scope !== 'account') return
    refuseWhileWaiting(await attemptCounts.add(probeLimit, actor.account_sid))
    refuseWhileWaiting(await attemptCounts.addForNetwork(probeLimit, ip))
  }

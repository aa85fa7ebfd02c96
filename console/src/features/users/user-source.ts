import type { Actor } from '@trunkline/contract/policy/actor'
import { user } from '@trunkline/contract/resources/user'
import type { User } from '@trunkline/contract/shapes/user'
import type { ListSource } from '../../kit/record/record'
import { filterCompleteList, requestList } from '../../lib/request-list'

/**
 * The users of a provider, its accounts' users and the administrators. Only an administrator can choose between
 * providers.
 */
export const createUserSource = (actor: Actor, service_provider_sid: string): ListSource<User> => ({
  key: [user.path, service_provider_sid],
  fetch: async (query, signal) => {
    const providerQuery = actor.scope === 'admin' ? { ...query, service_provider_sid } : query
    const page = await requestList(user.list, { query: providerQuery, signal })
    if (actor.scope !== 'admin') return page
    return filterCompleteList(page, (row) => row.scope === 'admin' || row.service_provider_sid === service_provider_sid)
  },
})

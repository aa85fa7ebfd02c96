import type { ListQuery } from '@trunkline/contract/kit/page'
import type { Actor } from '@trunkline/contract/policy/actor'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { client } from '@trunkline/contract/resources/client'
import type { Client } from '@trunkline/contract/shapes/client'
import type { ListSource } from '../../kit/record/record'
import { request } from '../../lib/client'

/**
 * The SIP clients of a provider. A server that returns all clients to an administrator does not page them, so they are
 * filtered here.
 */
export const clientSource = (actor: Actor, service_provider_sid: string): ListSource<Client> => ({
  key: [client.path, service_provider_sid],
  fetch: async (query: ListQuery, signal) => {
    if (actor.scope !== 'admin') return request(client.list, { query, signal })
    const response = await request(client.list, { query: { ...query, service_provider_sid }, signal })
    if (!Array.isArray(response) || response.length === 0) return response
    const accounts = await request(accountsOfProvider, { params: { service_provider_sid }, signal })
    const accountSids = new Set(
      (Array.isArray(accounts) ? accounts : accounts.data).map(({ account_sid }) => account_sid),
    )
    return response.filter(({ account_sid }) => accountSids.has(account_sid))
  },
})

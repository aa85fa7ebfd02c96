import type { ListQuery } from '@trunkline/contract/kit/page'
import type { Actor } from '@trunkline/contract/policy/actor'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { client } from '@trunkline/contract/resources/client'
import type { Client } from '@trunkline/contract/shapes/client'
import type { ListSource } from '../../kit/record/record'
import { filterCompleteList, requestList } from '../../lib/request-list'

/**
 * The SIP clients of a provider. A server that returns all clients to an administrator does not page them, so they are
 * filtered here.
 */
export const createClientSource = (actor: Actor, service_provider_sid: string): ListSource<Client> => ({
  key: [client.path, service_provider_sid],
  fetch: async (query: ListQuery, signal) => {
    if (actor.scope !== 'admin') return requestList(client.list, { query, signal })
    const page = await requestList(client.list, { query: { ...query, service_provider_sid }, signal })
    if (!page.isComplete || page.rows.length === 0) return page
    const accounts = await requestList(accountsOfProvider, { params: { service_provider_sid }, signal })
    const accountSids = new Set(accounts.rows.map((account) => account.account_sid))
    return filterCompleteList(page, ({ account_sid }) => accountSids.has(account_sid))
  },
})

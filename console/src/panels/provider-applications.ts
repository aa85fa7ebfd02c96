import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import type { Actor } from '@trunkline/contract/policy/actor'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { application, applicationsOfProvider } from '@trunkline/contract/resources/application'
import type { Application } from '@trunkline/contract/shapes/application'
import { request } from '../lib/client'

/**
 * The applications of a provider. For administrators, some v1 servers return the applications of all providers as one
 * array; this keeps only those of the provider's accounts.
 */
export const fetchProviderApplications = async (
  actor: Actor,
  service_provider_sid: string,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<Application[] | Page<Application>> => {
  const params = { service_provider_sid }
  // for a provider's user, this route returns only applications of that provider, and it paginates
  if (actor.scope !== 'admin') return request(application.list, { query: { ...query, ...params }, signal })
  const answer = await request(applicationsOfProvider, { params, query, signal })
  if (!Array.isArray(answer)) return answer
  const accounts = await request(accountsOfProvider, { params, signal })
  const own = new Set((Array.isArray(accounts) ? accounts : accounts.data).map(({ account_sid }) => account_sid))
  return answer.filter(({ account_sid }) => account_sid !== null && own.has(account_sid))
}

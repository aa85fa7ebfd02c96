import type { ListQuery } from '@trunkline/contract/kit/page'
import type { Actor } from '@trunkline/contract/policy/actor'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { application, applicationsOfProvider } from '@trunkline/contract/resources/application'
import type { Application } from '@trunkline/contract/shapes/application'
import { filterCompleteList, requestList, type ListPage } from '../lib/request-list'

/**
 * The applications of a provider. For administrators, some v1 servers return the applications of all providers as one
 * array; this keeps only those of the provider's accounts.
 */
export const fetchProviderApplications = async (
  actor: Actor,
  service_provider_sid: string,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ListPage<Application>> => {
  const params = { service_provider_sid }
  // for a provider's user, this route returns only applications of that provider, and it paginates
  if (actor.scope !== 'admin') return requestList(application.list, { query: { ...query, ...params }, signal })
  const page = await requestList(applicationsOfProvider, { params, query, signal })
  if (!page.isComplete) return page
  const accounts = await requestList(accountsOfProvider, { params, signal })
  const accountSids = new Set(accounts.rows.map((account) => account.account_sid))
  return filterCompleteList(page, ({ account_sid }) => account_sid !== null && accountSids.has(account_sid))
}

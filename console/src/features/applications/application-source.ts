import type { ListQuery } from '@trunkline/contract/kit/page'
import type { Actor } from '@trunkline/contract/policy/actor'
import { application, applicationsOfAccount } from '@trunkline/contract/resources/application'
import type { Application } from '@trunkline/contract/shapes/application'
import type { ListSource } from '../../kit/record/record'
import { requestList } from '../../lib/request-list'
import { fetchProviderApplications } from '../../panels/provider-applications'

/**
 * The applications of a provider, or of one of its accounts. The latter uses the account's path, because some servers
 * ignore an account filter in the provider's path.
 */
export const createApplicationSource = (actor: Actor, service_provider_sid: string): ListSource<Application> => ({
  key: [application.path, service_provider_sid],
  fetch: ({ account_sid, ...query }: ListQuery, signal) =>
    account_sid
      ? requestList(applicationsOfAccount, { params: { account_sid }, query, signal })
      : fetchProviderApplications(actor, service_provider_sid, query, signal),
})

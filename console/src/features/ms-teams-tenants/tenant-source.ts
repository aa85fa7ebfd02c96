import type { ListQuery } from '@trunkline/contract/kit/page'
import type { Actor } from '@trunkline/contract/policy/actor'
import { msTeamsTenant } from '@trunkline/contract/resources/ms-teams-tenant'
import type { MsTeamsTenant } from '@trunkline/contract/shapes/ms-teams-tenant'
import type { ListSource } from '../../kit/record/record'
import { filterCompleteList, requestList } from '../../lib/request-list'

/**
 * The Microsoft Teams tenants of a provider or an account. A v1 server may return every tenant to every user, so an
 * unpaged list is filtered here.
 */
export const createTenantSource = (actor: Actor, service_provider_sid: string): ListSource<MsTeamsTenant> => ({
  key: [msTeamsTenant.path, service_provider_sid],
  fetch: async (query: ListQuery, signal) => {
    const page = await requestList(msTeamsTenant.list, {
      query: actor.scope === 'account' ? query : { ...query, service_provider_sid },
      signal,
    })
    return filterCompleteList(page, (row) =>
      actor.scope === 'account'
        ? row.account_sid === actor.account_sid
        : row.service_provider_sid === service_provider_sid,
    )
  },
})

import type { ListQuery } from '@trunkline/contract/kit/page'
import type { Actor } from '@trunkline/contract/policy/actor'
import { msTeamsTenant } from '@trunkline/contract/resources/ms-teams-tenant'
import type { MsTeamsTenant } from '@trunkline/contract/shapes/ms-teams-tenant'
import type { ListSource } from '../../kit/record/record'
import { request } from '../../lib/client'

/**
 * The Microsoft Teams tenants of a provider or an account. A v1 server may return all tenants to anyone, so an unpaged
 * list is filtered here.
 */
export const tenantSource = (actor: Actor, service_provider_sid: string): ListSource<MsTeamsTenant> => ({
  key: [msTeamsTenant.path, service_provider_sid],
  fetch: async (query: ListQuery, signal) => {
    const response = await request(msTeamsTenant.list, {
      query: actor.scope === 'account' ? query : { ...query, service_provider_sid },
      signal,
    })
    if (!Array.isArray(response)) return response
    return response.filter((row) =>
      actor.scope === 'account'
        ? row.account_sid === actor.account_sid
        : row.service_provider_sid === service_provider_sid,
    )
  },
})

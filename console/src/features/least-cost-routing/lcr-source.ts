import type { ListQuery } from '@trunkline/contract/kit/page'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { lcr } from '@trunkline/contract/resources/lcr'
import type { Lcr } from '@trunkline/contract/shapes/lcr'
import type { ListSource } from '../../kit/record/record'
import { filterCompleteList, requestList } from '../../lib/request-list'

/**
 * The LCRs of a provider and of its accounts. A v1 server may return all LCRs, and those of accounts do not include
 * their provider; so the provider's accounts are requested too.
 */
export const createLcrSource = (service_provider_sid: string): ListSource<Lcr> => ({
  key: [lcr.path, service_provider_sid],
  fetch: async (query: ListQuery, signal) => {
    const page = await requestList(lcr.list, { query: { ...query, service_provider_sid }, signal })
    if (!page.isComplete) return page
    const accounts = await requestList(accountsOfProvider, { params: { service_provider_sid }, signal })
    const accountSids = new Set(accounts.rows.map(({ account_sid }) => account_sid))
    return filterCompleteList(page, (row) =>
      row.account_sid ? accountSids.has(row.account_sid) : row.service_provider_sid === service_provider_sid,
    )
  },
})

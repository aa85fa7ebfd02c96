import { sharedRecordsSid, type ListQuery } from '@trunkline/contract/kit/page'
import type { Actor } from '@trunkline/contract/policy/actor'
import { carriersOfAccount, carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { createListSource, type ListSource } from '../../kit/record/record'
import { requestList } from '../../lib/request-list'

/**
 * The carriers that the actor may see. With an account filter, requests the list of that account, because the list of
 * the provider would add the shared carriers. Account users request `/VoipCarriers`, the only list that shows them the
 * shared carriers.
 */
export const createCarrierSource = (actor: Actor, service_provider_sid: string): ListSource<VoipCarrier> =>
  actor.scope === 'account'
    ? createListSource(voipCarrier.list, {})
    : {
        key: [carriersOfProvider.list.path, service_provider_sid],
        fetch: ({ account_sid, ...query }: ListQuery, signal) =>
          account_sid && account_sid !== sharedRecordsSid
            ? requestList(carriersOfAccount.list, { params: { account_sid }, query, signal })
            : requestList(carriersOfProvider.list, {
                params: { service_provider_sid },
                query: { account_sid, ...query },
                signal,
              }),
      }

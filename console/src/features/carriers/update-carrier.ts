import { carriersOfAccount, carriersOfProvider } from '@trunkline/contract/resources/voip-carrier'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { VoipCarrierChanges } from '@trunkline/contract/shapes/voip-carrier'
import { request } from '../../lib/client'

/** Updates a carrier. Account users write to their account's path, everyone else to the provider's. */
export const updateCarrier = async (
  actor: Actor,
  providerParams: { service_provider_sid: string },
  voip_carrier_sid: string,
  body: VoipCarrierChanges,
): Promise<void> => {
  if (actor.scope === 'account')
    await request(carriersOfAccount.update, { params: { account_sid: actor.account_sid, voip_carrier_sid }, body })
  else await request(carriersOfProvider.update, { params: { ...providerParams, voip_carrier_sid }, body })
}

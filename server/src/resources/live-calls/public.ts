import type { Actor } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action } from '@trunkline/contract/policy/policy'
import { isSid } from '../../http/tenant-access'
import { badRequest, forbidden } from '../../http/problem'

export { createProviderCallCache } from './provider-call-cache'

/**
 * Throws unless the actor may do this with live calls of the account. Used in place of `checkTenantAccess`, because existing
 * clients expect a different refusal here.
 */
export const authorizeLiveCallAccess = async (
  actor: Actor,
  action: Action,
  account_sid: string,
  providerOf: (account_sid: string) => Promise<string | null | undefined>,
): Promise<void> => {
  if (!isSid(account_sid)) throw badRequest('Bad request')
  const service_provider_sid = (await providerOf(account_sid)) ?? null
  if (!can(actor, action, 'live_call', { account_sid, service_provider_sid }))
    throw forbidden('insufficient permissions')
}

import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action } from '@trunkline/contract/policy/policy'
import { refusalOf } from '@trunkline/contract/policy/refusal'
import { checkForm, passGate } from '../../http/gate'
import { notFound, refused } from '../../http/problem'
import type { Accounts } from '../accounts/service'

interface Place {
  account_sid: string
  service_provider_sid: string
}

/** Lets through whom the policy lets come to an account's speech services; answers the account with its provider. */
export const accountGate =
  (accounts: Accounts) =>
  async (actor: Actor, action: Action, account_sid: string): Promise<Place> => {
    checkForm(actor, 'Accounts', account_sid)
    const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
    passGate(actor, action, 'speech_credential', { service_provider_sid, account_sid })
    if (!service_provider_sid) throw notFound()
    return { account_sid, service_provider_sid }
  }

/** A provider's speech services are for its people and those of its accounts. */
export const providerGate = (actor: Actor, service_provider_sid: string): void => {
  if (can(actor, 'read', 'service_provider', { service_provider_sid, account_sid: null })) return
  throw refused(refusalOf('speech_credential', 'list', actor.scope))
}

/** Does a record lie under this provider, as its own or as an account's? */
export const inProvider =
  (service_provider_sid: string) =>
  (owner: Owner): boolean =>
    owner.service_provider_sid === service_provider_sid

import type { Actor } from '@trunkline/contract/policy/actor'
import { applicationsOfAccount, applicationsOfProvider } from '@trunkline/contract/resources/application'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { RecordSource } from './record-options'

/** The carriers that the actor may see: those of a provider or, for account users, their own and the shared ones. */
export const createCarrierOptionSource = (actor: Actor, service_provider_sid: string): RecordSource =>
  actor.scope === 'account'
    ? { kind: 'voip_carrier', list: voipCarrier.list, params: {} }
    : { kind: 'voip_carrier', list: carriersOfProvider.list, params: { service_provider_sid } }

/** The applications of an account or, without `accountSid`, of a provider. Account users see only their own. */
export const createApplicationOptionSource = (
  actor: Actor,
  service_provider_sid: string,
  accountSid = '',
): RecordSource => {
  const account_sid = actor.scope === 'account' ? actor.account_sid : accountSid
  return account_sid
    ? { kind: 'application', list: applicationsOfAccount, params: { account_sid } }
    : { kind: 'application', list: applicationsOfProvider, params: { service_provider_sid } }
}

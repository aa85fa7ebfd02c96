import { fillPath } from '@trunkline/contract/kit/route'
import type { Actor } from '@trunkline/contract/policy/actor'
import {
  defineSpeechCredentials,
  speechTestOfAccount,
  speechTestOfProvider,
} from '@trunkline/contract/resources/speech-credential'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { getVendorName } from '@trunkline/contract/speech/vendors'
import { useMemo } from 'react'
import { createListSource, type AnyResource, type ListSource } from '../../kit/record/record'
import { request } from '../../lib/client'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'

/** The name of a speech service: its vendor and label. */
export const serviceTitle = ({ vendor, label }: Pick<SpeechCredential, 'vendor' | 'label'>): string =>
  label ? `${getVendorName(vendor)} ${label}` : getVendorName(vendor)

const resourceUnder = (base: string) => ({ ...defineSpeechCredentials(base), title: serviceTitle })
const accountServices = (account_sid: string) => resourceUnder(fillPath('/Accounts/:account_sid', { account_sid }))
const providerServices = (service_provider_sid: string) =>
  resourceUnder(fillPath('/ServiceProviders/:service_provider_sid', { service_provider_sid }))

/** Account users use their account's path, everyone else the provider's. Both delete in the provider's path. */
const servicesOf = (actor: Actor, service_provider_sid: string): AnyResource<SpeechCredential> => {
  if (actor.scope !== 'account') return providerServices(service_provider_sid)
  return { ...accountServices(actor.account_sid), remove: providerServices(service_provider_sid).remove }
}

/** The speech services that the signed-in user may see. */
export const useSpeechServices = (): AnyResource<SpeechCredential> => {
  const actor = useActor()
  const provider = useProviderSid()
  return useMemo(() => servicesOf(actor, provider), [actor, provider])
}

/** The rows of a list: the provider's services, or those that an account uses. */
export const serviceSource = (service_provider_sid: string, account_sid: string | null): ListSource<SpeechCredential> =>
  createListSource((account_sid ? accountServices(account_sid) : providerServices(service_provider_sid)).list, {})

/** Tests a stored service at its vendor. */
export const useTestRequest = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  return (speech_credential_sid: string) =>
    actor.scope === 'account'
      ? request(speechTestOfAccount, { params: { account_sid: actor.account_sid, speech_credential_sid } })
      : request(speechTestOfProvider, { params: { service_provider_sid, speech_credential_sid } })
}

import { fillPath } from '@trunkline/contract/kit/route'
import type { Actor } from '@trunkline/contract/policy/actor'
import {
  speechCredentialsUnder,
  speechTestOfAccount,
  speechTestOfProvider,
} from '@trunkline/contract/resources/speech-credential'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { vendorName } from '@trunkline/contract/speech/vendors'
import { useMemo } from 'react'
import { createListSource, type AnyResource, type ListSource } from '../../kit/record/record'
import { request } from '../../lib/client'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'

/** The name of a speech service: its vendor and label. */
export const titleOf = ({ vendor, label }: Pick<SpeechCredential, 'vendor' | 'label'>): string =>
  label ? `${vendorName(vendor)} ${label}` : vendorName(vendor)

const below = (base: string) => ({ ...speechCredentialsUnder(base), title: titleOf })
const ofAccount = (account_sid: string) => below(fillPath('/Accounts/:account_sid', { account_sid }))
const ofProvider = (service_provider_sid: string) =>
  below(fillPath('/ServiceProviders/:service_provider_sid', { service_provider_sid }))

/** Account users use their account's path, everyone else the provider's. Both delete in the provider's path. */
const servicesFor = (actor: Actor, service_provider_sid: string): AnyResource<SpeechCredential> => {
  if (actor.scope !== 'account') return ofProvider(service_provider_sid)
  return { ...ofAccount(actor.account_sid), remove: ofProvider(service_provider_sid).remove }
}

/** The speech services that the signed-in user may see. */
export const useSpeechServices = (): AnyResource<SpeechCredential> => {
  const actor = useActor()
  const provider = useProviderSid()
  return useMemo(() => servicesFor(actor, provider), [actor, provider])
}

/** The rows of a list: the provider's services, or those that an account uses. */
export const rowsBelow = (service_provider_sid: string, account_sid: string | null): ListSource<SpeechCredential> =>
  createListSource((account_sid ? ofAccount(account_sid) : ofProvider(service_provider_sid)).list, {})

/** Tests a stored service at its vendor. */
export const useTry = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  return (speech_credential_sid: string) =>
    actor.scope === 'account'
      ? request(speechTestOfAccount, { params: { account_sid: actor.account_sid, speech_credential_sid } })
      : request(speechTestOfProvider, { params: { service_provider_sid, speech_credential_sid } })
}

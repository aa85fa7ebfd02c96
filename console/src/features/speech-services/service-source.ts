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
export const getServiceTitle = ({ vendor, label }: Pick<SpeechCredential, 'vendor' | 'label'>): string =>
  label ? `${getVendorName(vendor)} ${label}` : getVendorName(vendor)

/** Fills in the vendor: another server may omit it. */
export const fillVendor = <Row extends SpeechCredential>(row: Row): Row => ({ ...row, vendor: row.vendor ?? '' })

/** Declares the routes for the speech services of one owner. `base`: the path of the owner. */
const defineServiceResource = (base: string) => ({ ...defineSpeechCredentials(base), title: getServiceTitle })
const defineAccountServiceResource = (account_sid: string) =>
  defineServiceResource(fillPath('/Accounts/:account_sid', { account_sid }))
const defineProviderServiceResource = (service_provider_sid: string) =>
  defineServiceResource(fillPath('/ServiceProviders/:service_provider_sid', { service_provider_sid }))

/** Account users use the routes of their account, everyone else those of the provider. All delete with the provider's. */
const getServiceResource = (actor: Actor, service_provider_sid: string): AnyResource<SpeechCredential> => {
  if (actor.scope !== 'account') return defineProviderServiceResource(service_provider_sid)
  return {
    ...defineAccountServiceResource(actor.account_sid),
    remove: defineProviderServiceResource(service_provider_sid).remove,
  }
}

/** Returns the resource of the speech services that the signed-in user may see: its routes depend on the user. */
export const useServiceResource = (): AnyResource<SpeechCredential> => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  return useMemo(() => getServiceResource(actor, service_provider_sid), [actor, service_provider_sid])
}

/** Creates the source of a list: the provider's services, or those that an account uses. */
export const createServiceSource = (
  service_provider_sid: string,
  account_sid: string | null,
): ListSource<SpeechCredential> => {
  const { list } = account_sid
    ? defineAccountServiceResource(account_sid)
    : defineProviderServiceResource(service_provider_sid)
  const source = createListSource(list, {})
  return {
    ...source,
    fetch: async (query, signal) => {
      const page = await source.fetch(query, signal)
      return { ...page, rows: page.rows.map(fillVendor) }
    },
  }
}

/** Returns a function that tests a stored service at its vendor. */
export const useRequestTest = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  return (speech_credential_sid: string) =>
    actor.scope === 'account'
      ? request(speechTestOfAccount, { params: { account_sid: actor.account_sid, speech_credential_sid } })
      : request(speechTestOfProvider, { params: { service_provider_sid, speech_credential_sid } })
}

import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Actor } from '@trunkline/contract/policy/actor'
import { googleCustomVoices } from '@trunkline/contract/resources/google-custom-voice'
import {
  speechCatalogueOfAccount,
  speechCatalogueOfProvider,
  speechCredentialsOfAccount,
  speechCredentialsOfProvider,
  type SpeechCredentialName,
} from '@trunkline/contract/resources/speech-credential'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { hasCustomVoices, hasCatalogue } from '@trunkline/contract/speech/selection'
import { dropUnstorable } from '@trunkline/contract/speech/storable'
import { useWatch } from 'react-hook-form'
import { request } from '../../lib/client'
import { Problem, sayProblem } from '../../lib/problem'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { useSettled } from './use-is-choice-stable'
import type { ApplicationValues } from './values'

/** Returns null if this server has no such list, for this vendor or at all. */
const unlisted = (error: unknown) => {
  if (error instanceof Problem && error.status >= 400 && error.status < 500 && !error.hasEndedSession) return null
  throw error
}

/** Like `unlisted`, but rethrows a 422 that explains why the vendor returned nothing. */
const withoutLists = (error: unknown) => {
  if (error instanceof Problem && error.status === 422 && !error.msg.startsWith('Invalid vendor')) throw error
  return unlisted(error)
}

const lasting = { staleTime: 60_000, meta: { quiet: true } }

/** The owner of the credentials: the selected account and its provider. */
export interface Tenant {
  account_sid: string | null
  service_provider_sid: string
}

/** The owner of the application in the form. */
export const useTenant = (): Tenant => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const chosen = useWatch<ApplicationValues, 'account_sid'>({ name: 'account_sid' })
  return { account_sid: actor.scope === 'account' ? actor.account_sid : chosen, service_provider_sid }
}

const credentialsQuery = ({ account_sid, service_provider_sid }: Tenant) =>
  queryOptions({
    queryKey: ['speech_credential', 'names', account_sid, service_provider_sid],
    queryFn: ({ signal }): Promise<SpeechCredentialName[] | null> =>
      (account_sid
        ? request(speechCredentialsOfAccount.list, { params: { account_sid }, signal })
        : request(speechCredentialsOfProvider.list, { params: { service_provider_sid }, signal })
      )
        .then((answer) => (Array.isArray(answer) ? answer : answer.data))
        .catch(unlisted),
    ...lasting,
  })

/** The speech credentials that an application may use; null if the server does not list them. */
export const useCredentials = (tenant: Tenant) => {
  const { data, isPending } = useQuery(credentialsQuery(tenant))
  // Calls prefer the account's credential over the provider's if both have the same vendor and label.
  const credentials = data?.toSorted((one, other) => Number(!one.account_sid) - Number(!other.account_sid)) ?? null
  return { credentials, loading: isPending }
}

/**
 * Returns the account to request the catalogue from, or null for the provider. Account users, and credentials of an
 * account, use the account.
 */
const askedAt = (actor: Actor, { account_sid }: Tenant, credential: SpeechCredentialName | undefined) =>
  actor.scope === 'account' || credential?.account_sid ? account_sid : null

const catalogueQuery = (account_sid: string | null, service_provider_sid: string, vendor: string, label: string) =>
  queryOptions({
    queryKey: ['speech_credential', 'catalogue', account_sid, service_provider_sid, vendor, label],
    queryFn: ({ signal }): Promise<Catalogue | null> => {
      const query = { vendor, ...(label ? { label } : {}) }
      return (
        account_sid
          ? request(speechCatalogueOfAccount, { params: { account_sid }, query, signal })
          : request(speechCatalogueOfProvider, { params: { service_provider_sid }, query, signal })
      )
        .then(dropUnstorable)
        .catch(withoutLists)
    },
    enabled: vendor !== '' && hasCatalogue(vendor),
    ...lasting,
  })

/**
 * Returns a function that builds the catalogue query of a vendor: `useCatalogue` runs it after a short delay,
 * `useAskCatalogue` when it is called.
 */
const useQueryFor = (tenant: Tenant) => {
  const actor = useActor()
  const { credentials } = useCredentials(tenant)
  return (vendor: string, label: string) => {
    const credential = credentials?.find((each) => each.vendor === vendor && (each.label ?? '') === label)
    return catalogueQuery(askedAt(actor, tenant, credential), tenant.service_provider_sid, vendor, label)
  }
}

/**
 * The catalogue of a vendor; null if this server has none. `why` is the error message. Requested once the choice has
 * settled.
 */
export const useCatalogue = (tenant: Tenant, vendor: string, label: string) => {
  const settled = useSettled(vendor, label)
  const { data, error, isLoading } = useQuery(useQueryFor(tenant)(settled ? vendor : '', label))
  return { catalogue: data ?? null, loading: isLoading || !settled, why: error ? sayProblem(error) : undefined }
}

export const useAskCatalogue = (tenant: Tenant) => {
  const cache = useQueryClient()
  const queryFor = useQueryFor(tenant)
  return (vendor: string, label: string): Promise<Catalogue | null> =>
    hasCatalogue(vendor) ? cache.fetchQuery(queryFor(vendor, label)).catch(() => null) : Promise.resolve(null)
}

/** The custom voices of this owner at a vendor, with the names that applications use. */
export const useCustomVoices = (tenant: Tenant, vendor: string, label: string) => {
  const { account_sid, service_provider_sid } = tenant
  const { credentials } = useCredentials(tenant)
  // if the credential is unknown (the server lists none), look up by owner and label
  const credential = credentials?.find((each) => each.vendor === vendor && (each.label ?? '') === label)
  const speech_credential_sid = credential?.speech_credential_sid
  const { data } = useQuery({
    queryKey: ['google_custom_voice', 'names', account_sid, service_provider_sid, label, speech_credential_sid],
    queryFn: ({ signal }) =>
      request(googleCustomVoices, {
        query: speech_credential_sid
          ? { speech_credential_sid }
          : { service_provider_sid, ...(account_sid ? { account_sid } : {}), ...(label ? { label } : {}) },
        signal,
      }).catch(unlisted),
    enabled: hasCustomVoices(vendor),
    ...lasting,
  })
  const voices = hasCustomVoices(vendor) ? (data ?? []) : []
  return voices.map(({ google_custom_voice_sid, name }) => ({ value: `custom_${google_custom_voice_sid}`, name }))
}

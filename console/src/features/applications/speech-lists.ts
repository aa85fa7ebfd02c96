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
import { isCustom } from '@trunkline/contract/speech/vendors'
import { useWatch } from 'react-hook-form'
import { call } from '../../lib/client'
import { Problem } from '../../lib/problem'
import { useProviderSid } from '../../session/provider'
import { useActor } from '../../session/session'
import type { ApplicationValues } from './values'

/** null: this server does not list it, for this vendor or at all. */
const unlisted = (error: unknown) => {
  if (error instanceof Problem && error.status >= 400 && error.status < 500 && !error.ended) return null
  throw error
}

const lasting = { staleTime: 60_000, meta: { quiet: true } }

/** Whose credentials count: those of the account that is chosen, and of its provider. */
export interface Tenant {
  account_sid: string | null
  service_provider_sid: string
}

/** The tenant of the application on screen. */
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
        ? call(speechCredentialsOfAccount, { params: { account_sid }, signal })
        : call(speechCredentialsOfProvider, { params: { service_provider_sid }, signal })
      ).catch(unlisted),
    ...lasting,
  })

/** The speech credentials that an application may use; null when the server does not list them. */
export const useCredentials = (tenant: Tenant) => {
  const { data, isPending } = useQuery(credentialsQuery(tenant))
  return { credentials: data ?? null, loading: isPending }
}

/**
 * Where a vendor's lists are asked for: at the account for its own users and where its own credential is meant, else at
 * the provider.
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
          ? call(speechCatalogueOfAccount, { params: { account_sid }, query, signal })
          : call(speechCatalogueOfProvider, { params: { service_provider_sid }, query, signal })
      ).catch(unlisted)
    },
    // only the vendors that everybody knows are listed
    enabled: vendor !== '' && !isCustom(vendor),
    ...lasting,
  })

/** Asks for the lists of a vendor: at once in `useCatalogue`, or when they are needed with what `useAskCatalogue` gives. */
const useQueryFor = (tenant: Tenant) => {
  const actor = useActor()
  const { credentials } = useCredentials(tenant)
  return (vendor: string, label: string) => {
    const credential = credentials?.find((each) => each.vendor === vendor && (each.label ?? '') === label)
    return catalogueQuery(askedAt(actor, tenant, credential), tenant.service_provider_sid, vendor, label)
  }
}

export const useCatalogue = (tenant: Tenant, vendor: string, label: string) => {
  const { data, isLoading } = useQuery(useQueryFor(tenant)(vendor, label))
  return { catalogue: data ?? null, loading: isLoading }
}

export const useAskCatalogue = (tenant: Tenant) => {
  const cache = useQueryClient()
  const queryFor = useQueryFor(tenant)
  return (vendor: string, label: string): Promise<Catalogue | null> =>
    isCustom(vendor) ? Promise.resolve(null) : cache.fetchQuery(queryFor(vendor, label)).catch(() => null)
}

/** The voices of Google that were made for this tenant, as an application names them. */
export const useCustomVoices = ({ account_sid, service_provider_sid }: Tenant, vendor: string, label: string) => {
  const { data } = useQuery({
    queryKey: ['google_custom_voice', 'names', account_sid, service_provider_sid, label],
    queryFn: ({ signal }) =>
      call(googleCustomVoices, {
        query: { service_provider_sid, ...(account_sid ? { account_sid } : {}), ...(label ? { label } : {}) },
        signal,
      }).catch(unlisted),
    enabled: vendor === 'google',
    ...lasting,
  })
  const voices = vendor === 'google' ? (data ?? []) : []
  return voices.map(({ google_custom_voice_sid, name }) => ({ value: `custom_${google_custom_voice_sid}`, name }))
}

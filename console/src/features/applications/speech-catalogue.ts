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
import { hasCustomVoices } from '@trunkline/contract/speech/vendors'
import { hasCatalogue } from './speech-selection'
import { dropUnstorable } from '@trunkline/contract/speech/storable-catalogue'
import { useWatch } from 'react-hook-form'
import { request } from '../../lib/client'
import { requestList } from '../../lib/request-list'
import { Problem, getErrorMessage } from '../../lib/problem'
import { namedQueryKey } from '../../lib/query-keys'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { useIsChoiceStable } from './use-is-choice-stable'
import type { ApplicationValues } from './values'

/** Converts a refusal to null: this server does not support the request at all, or not for this vendor. */
const nullIfUnsupported = (error: unknown) => {
  if (error instanceof Problem && error.status >= 400 && error.status < 500 && !error.hasEndedSession) return null
  throw error
}

/** Like `nullIfUnsupported`, but rethrows a 422 that explains why the vendor returned nothing. */
const nullIfNoCatalogue = (error: unknown) => {
  if (error instanceof Problem && error.status === 422 && !error.msg.startsWith('Invalid vendor')) throw error
  return nullIfUnsupported(error)
}

const cacheOptions = { staleTime: 60_000, meta: { suppressErrorToast: true } }

/** The owner of the credentials: the selected account and its provider. */
export interface SpeechOwner {
  account_sid: string | null
  service_provider_sid: string
}

/** The owner of the application in the form. */
export const useSpeechOwner = (): SpeechOwner => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const selectedAccountSid = useWatch<ApplicationValues, 'account_sid'>({ name: 'account_sid' })
  return { account_sid: actor.scope === 'account' ? actor.account_sid : selectedAccountSid, service_provider_sid }
}

const createCredentialsQuery = ({ account_sid, service_provider_sid }: SpeechOwner) =>
  queryOptions({
    queryKey: namedQueryKey('speech_credential', 'names', account_sid, service_provider_sid),
    queryFn: ({ signal }): Promise<SpeechCredentialName[] | null> =>
      (account_sid
        ? requestList(speechCredentialsOfAccount.list, { params: { account_sid }, signal })
        : requestList(speechCredentialsOfProvider.list, { params: { service_provider_sid }, signal })
      )
        // another server may omit the vendor
        .then(({ rows }) => rows.filter(({ vendor }) => vendor))
        .catch(nullIfUnsupported),
    ...cacheOptions,
  })

/** The speech credentials that an application may use; null if the server does not list them. */
export const useCredentials = (owner: SpeechOwner) => {
  const { data, isPending } = useQuery(createCredentialsQuery(owner))
  // Calls prefer the account's credential over the provider's if both have the same vendor and label.
  const credentials = data?.toSorted((a, b) => Number(!a.account_sid) - Number(!b.account_sid)) ?? null
  return { credentials, isLoading: isPending }
}

/**
 * Returns the account to request the catalogue from, or null for the provider. Account users, and credentials of an
 * account, use the account.
 */
const getCatalogueAccountSid = (
  actor: Actor,
  { account_sid }: SpeechOwner,
  credential: SpeechCredentialName | undefined,
) => (actor.scope === 'account' || credential?.account_sid ? account_sid : null)

const createCatalogueQuery = (
  account_sid: string | null,
  service_provider_sid: string,
  vendor: string,
  label: string,
) =>
  queryOptions({
    queryKey: namedQueryKey('speech_credential', 'catalogue', account_sid, service_provider_sid, vendor, label),
    queryFn: ({ signal }): Promise<Catalogue | null> => {
      const query = { vendor, ...(label ? { label } : {}) }
      return (
        account_sid
          ? request(speechCatalogueOfAccount, { params: { account_sid }, query, signal })
          : request(speechCatalogueOfProvider, { params: { service_provider_sid }, query, signal })
      )
        .then(dropUnstorable)
        .catch(nullIfNoCatalogue)
    },
    enabled: vendor !== '' && hasCatalogue(vendor),
    ...cacheOptions,
  })

/**
 * Returns a function that builds the catalogue query of a vendor: `useCatalogue` runs it after a short delay,
 * `useFetchCatalogue` when it is called.
 */
const useCatalogueQueryFactory = (owner: SpeechOwner) => {
  const actor = useActor()
  const { credentials } = useCredentials(owner)
  return (vendor: string, label: string) => {
    const credential = credentials?.find(
      (candidate) => candidate.vendor === vendor && (candidate.label ?? '') === label,
    )
    return createCatalogueQuery(
      getCatalogueAccountSid(actor, owner, credential),
      owner.service_provider_sid,
      vendor,
      label,
    )
  }
}

/**
 * The catalogue of a vendor; null if this server has none. Requested once the choice has stayed the same for a short
 * time.
 */
export const useCatalogue = (owner: SpeechOwner, vendor: string, label: string) => {
  const isStable = useIsChoiceStable(vendor, label)
  const { data, error, isLoading } = useQuery(useCatalogueQueryFactory(owner)(isStable ? vendor : '', label))
  return {
    catalogue: data ?? null,
    isLoading: isLoading || !isStable,
    errorMessage: error ? getErrorMessage(error) : undefined,
  }
}

/** Returns a function that fetches the catalogue of a vendor at once; null if this server has none. */
export const useFetchCatalogue = (owner: SpeechOwner) => {
  const cache = useQueryClient()
  const getCatalogueQuery = useCatalogueQueryFactory(owner)
  return (vendor: string, label: string): Promise<Catalogue | null> =>
    hasCatalogue(vendor) ? cache.fetchQuery(getCatalogueQuery(vendor, label)).catch(() => null) : Promise.resolve(null)
}

/** The custom voices of this owner at a vendor. `value` is what an application stores as its voice. */
export const useCustomVoices = (owner: SpeechOwner, vendor: string, label: string) => {
  const { account_sid, service_provider_sid } = owner
  const { credentials } = useCredentials(owner)
  // if the credential is unknown (the server lists none), look up by owner and label
  const credential = credentials?.find((candidate) => candidate.vendor === vendor && (candidate.label ?? '') === label)
  const speech_credential_sid = credential?.speech_credential_sid
  const { data } = useQuery({
    queryKey: namedQueryKey(
      'google_custom_voice',
      'all',
      account_sid,
      service_provider_sid,
      label,
      speech_credential_sid,
    ),
    queryFn: ({ signal }) =>
      request(googleCustomVoices, {
        query: speech_credential_sid
          ? { speech_credential_sid }
          : { service_provider_sid, ...(account_sid ? { account_sid } : {}), ...(label ? { label } : {}) },
        signal,
      }).catch(nullIfUnsupported),
    enabled: hasCustomVoices(vendor),
    ...cacheOptions,
  })
  const voices = hasCustomVoices(vendor) ? (data ?? []) : []
  return voices.map(({ google_custom_voice_sid, name }) => ({ value: `custom_${google_custom_voice_sid}`, name }))
}

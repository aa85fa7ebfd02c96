import { useQuery } from '@tanstack/react-query'
import { speechCatalogueOfAccount, speechCatalogueOfProvider } from '@trunkline/contract/resources/speech-credential'
import type { SpeechOption } from '@trunkline/contract/speech/catalogue'
import { dropUnstorable } from '@trunkline/contract/speech/storable-catalogue'
import { request } from '../../lib/client'
import { namedQueryKey } from '../../lib/query-keys'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'

/**
 * The models that the server lists for a vendor; empty if it lists none. `catalogueKey`: the list in the vendor's
 * catalogue; undefined for a field without one.
 */
export const useVendorModels = (
  vendor: string,
  catalogueKey: 'models' | 'sttModels' | undefined,
): readonly SpeechOption[] => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data } = useQuery({
    queryKey: namedQueryKey('speech_models', 'ofVendor', service_provider_sid, vendor),
    queryFn: ({ signal }) => {
      // `create_new`: the vendor's list without a credential, because the credential may not be stored yet
      const query = { vendor, create_new: true }
      return (
        actor.scope === 'account'
          ? request(speechCatalogueOfAccount, { params: { account_sid: actor.account_sid }, query, signal })
          : request(speechCatalogueOfProvider, { params: { service_provider_sid }, query, signal })
      ).then(dropUnstorable)
    },
    enabled: catalogueKey !== undefined,
    staleTime: 60_000,
    retry: false,
    meta: { suppressErrorToast: true },
  })
  return (catalogueKey && data?.[catalogueKey]) ?? []
}

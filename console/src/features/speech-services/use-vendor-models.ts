import { useQuery } from '@tanstack/react-query'
import { speechCatalogueOfAccount, speechCatalogueOfProvider } from '@trunkline/contract/resources/speech-credential'
import type { SpeechOption } from '@trunkline/contract/speech/catalogue'
import { dropUnstorable } from '@trunkline/contract/speech/storable-catalogue'
import { request } from '../../lib/client'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'

/**
 * The models that the server lists for a vendor, in addition to those in the vendor's description; empty if it lists
 * none.
 */
export const useVendorModels = (
  vendor: string,
  listKey: 'models' | 'sttModels' | undefined,
): readonly SpeechOption[] => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data } = useQuery({
    queryKey: ['speech_models', service_provider_sid, vendor],
    queryFn: ({ signal }) => {
      const query = { vendor, create_new: true }
      return (
        actor.scope === 'account'
          ? request(speechCatalogueOfAccount, { params: { account_sid: actor.account_sid }, query, signal })
          : request(speechCatalogueOfProvider, { params: { service_provider_sid }, query, signal })
      ).then(dropUnstorable)
    },
    enabled: listKey !== undefined,
    staleTime: 60_000,
    retry: false,
    meta: { suppressErrorToast: true },
  })
  return (listKey && data?.[listKey]) ?? []
}

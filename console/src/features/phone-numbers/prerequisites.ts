import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/phone-number'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { useFirstAccounts } from '../../panels/first-accounts'
import { getNewRecordOwner } from '../../kit/list/list-query'
import { requestList } from '../../lib/request-list'
import { paths } from '../../lib/paths'
import { namedQueryKey } from '../../lib/query-keys'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan, type Can } from '../../session/session'

/** The prerequisites of a phone number: an account and a carrier. */
export interface Prerequisites {
  /** The first missing prerequisite, with a link for users who may add it. */
  missing?: { text: string; add?: { label: string; href: string } }
  /** The default carrier of a new number. */
  carrierSid: string | null
  /** The default account of a new number: the only one, or null if there are several. */
  accountSid: string | null
}

/** The first carrier that the signed-in user may use; null if there is none. */
const useFirstCarrierSid = (isEnabled: boolean) => {
  const isProviderUser = useActor().scope !== 'account'
  const service_provider_sid = useProviderSid()
  return useQuery({
    queryKey: namedQueryKey('voip_carrier', 'first', service_provider_sid),
    queryFn: async ({ signal }) => {
      const query = { page: 1, page_size: 1 }
      const { rows } = isProviderUser
        ? await requestList(carriersOfProvider.list, { params: { service_provider_sid }, query, signal })
        : await requestList(voipCarrier.list, { query, signal })
      return rows[0]?.voip_carrier_sid ?? null
    },
    enabled: isEnabled,
    staleTime: 30_000,
  }).data
}

/** Returns a function that finds the first missing prerequisite. It includes a link for users who may add it. */
const useFindMissingPrerequisite = () => {
  const can = useCan()
  const owner = getNewRecordOwner(useActor(), useProviderSid())
  const getAddLink = (kind: Parameters<Can>[1], add: { label: string; href: string }) =>
    can('create', kind, owner) ? { add } : {}
  return (accountSid: string | undefined, carrierSid: string | null): Prerequisites['missing'] => {
    if (accountSid === undefined)
      return {
        text: messages.needsAccount,
        ...getAddLink('account', { label: 'Add account', href: paths.accounts.add }),
      }
    if (carrierSid === null)
      return {
        text: messages.needsCarrier,
        ...getAddLink('voip_carrier', { label: 'Add carrier', href: paths.carriers.add }),
      }
    return undefined
  }
}

/** The prerequisites of a phone number, for the list and the form; undefined until known. */
export const usePrerequisites = (isEnabled = true): Prerequisites | undefined => {
  const carrierSid = useFirstCarrierSid(isEnabled)
  const firstAccountSids = useFirstAccounts(isEnabled)
  const findMissingPrerequisite = useFindMissingPrerequisite()
  if (carrierSid === undefined || firstAccountSids === undefined) return undefined
  const [firstAccountSid, secondAccountSid] = firstAccountSids
  return {
    carrierSid,
    accountSid: (secondAccountSid ? undefined : firstAccountSid) ?? null,
    missing: findMissingPrerequisite(firstAccountSid, carrierSid),
  }
}

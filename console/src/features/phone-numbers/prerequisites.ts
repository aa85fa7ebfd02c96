import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/phone-number'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { useFirstAccounts } from '../../panels/first-accounts'
import { newRecordOwner } from '../../kit/list/list-query'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan, type Can } from '../../session/session'

/** The prerequisites of a phone number: an account and a carrier. */
export interface Prerequisites {
  /** The first missing prerequisite, with a link for users who may add it. */
  missing?: { text: string; add?: { label: string; href: string } }
  /** The default carrier of a new number. */
  carrier: string | null
  /** The account, if there is only one. */
  account: string | null
}

/** The first carrier that the signed-in user may use; null if there is none. */
const useFirstCarrier = (isEnabled: boolean) => {
  const isProviderUser = useActor().scope !== 'account'
  const service_provider_sid = useProviderSid()
  return useQuery({
    queryKey: ['voip_carrier', 'first', service_provider_sid],
    queryFn: async ({ signal }) => {
      const query = { page: 1, page_size: 1 }
      const response = isProviderUser
        ? await request(carriersOfProvider.list, { params: { service_provider_sid }, query, signal })
        : await request(voipCarrier.list, { query, signal })
      const [firstCarrier] = Array.isArray(response) ? response : response.data
      return firstCarrier?.voip_carrier_sid ?? null
    },
    enabled: isEnabled,
    staleTime: 30_000,
  }).data
}

/** Returns a function for the first missing prerequisite, with a link only for users who may add it. */
const useFindMissing = () => {
  const can = useCan()
  const owner = newRecordOwner(useActor(), useProviderSid())
  const linkIfAllowed = (kind: Parameters<Can>[1], add: { label: string; href: string }) =>
    can('create', kind, owner) ? { add } : {}
  return (account: string | undefined, carrier: string | null): Prerequisites['missing'] => {
    if (account === undefined)
      return {
        text: messages.needsAccount,
        ...linkIfAllowed('account', { label: 'Add account', href: paths.accounts.add }),
      }
    if (carrier === null)
      return {
        text: messages.needsCarrier,
        ...linkIfAllowed('voip_carrier', { label: 'Add carrier', href: paths.carriers.add }),
      }
    return undefined
  }
}

/** The prerequisites, shared by list and form; undefined until known. */
export const usePrerequisites = (isEnabled = true): Prerequisites | undefined => {
  const carrier = useFirstCarrier(isEnabled)
  const accounts = useFirstAccounts(isEnabled)
  const findMissing = useFindMissing()
  if (carrier === undefined || accounts === undefined) return undefined
  const [firstAccount, secondAccount] = accounts
  return {
    carrier,
    account: (secondAccount ? undefined : firstAccount) ?? null,
    missing: findMissing(firstAccount, carrier),
  }
}

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
export interface Needs {
  /** The first missing prerequisite, with a link for users who may add it. */
  missing?: { text: string; add?: { label: string; href: string } }
  /** The default carrier of a new number. */
  carrier: string | null
  /** The account, if there is only one. */
  account: string | null
}

/** The first carrier that the signed-in user may use; null if there is none. */
const useFirstCarrier = (asked: boolean) => {
  const above = useActor().scope !== 'account'
  const service_provider_sid = useProviderSid()
  return useQuery({
    queryKey: ['voip_carrier', 'first', service_provider_sid],
    queryFn: async ({ signal }) => {
      const query = { page: 1, page_size: 1 }
      const answer = above
        ? await request(carriersOfProvider.list, { params: { service_provider_sid }, query, signal })
        : await request(voipCarrier.list, { query, signal })
      const [first] = Array.isArray(answer) ? answer : answer.data
      return first?.voip_carrier_sid ?? null
    },
    enabled: asked,
    staleTime: 30_000,
  }).data
}

/** Returns a function for the first missing prerequisite, with a link only for users who may add it. */
const useMissing = () => {
  const can = useCan()
  const owner = newRecordOwner(useActor(), useProviderSid())
  const offered = (kind: Parameters<Can>[1], add: { label: string; href: string }) =>
    can('create', kind, owner) ? { add } : {}
  return (account: string | undefined, carrier: string | null): Needs['missing'] => {
    if (account === undefined)
      return { text: messages.needsAccount, ...offered('account', { label: 'Add account', href: paths.accounts.add }) }
    if (carrier === null)
      return {
        text: messages.needsCarrier,
        ...offered('voip_carrier', { label: 'Add carrier', href: paths.carriers.add }),
      }
    return undefined
  }
}

/** The prerequisites, shared by list and form; undefined until known. */
export const useNeeds = (asked = true): Needs | undefined => {
  const carrier = useFirstCarrier(asked)
  const accounts = useFirstAccounts(asked)
  const missingOf = useMissing()
  if (carrier === undefined || accounts === undefined) return undefined
  const [only, second] = accounts
  return { carrier, account: (second ? undefined : only) ?? null, missing: missingOf(only, carrier) }
}

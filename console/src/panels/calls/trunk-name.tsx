import { useQuery } from '@tanstack/react-query'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { requestList } from '../../lib/request-list'
import { paths } from '../../lib/paths'
import { namedQueryKey } from '../../lib/query-keys'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Link } from '../../ui/link'

/** Returns the carriers with the trunk's name that the call can have used: those of its account and of the provider. */
const findCarriers = (rows: VoipCarrier[], { trunk, account_sid }: RecentCall) =>
  rows.filter((row) => row.name === trunk && (row.account_sid === null || row.account_sid === account_sid))

/**
 * The trunk of a call. The record contains only a name, so the name links to a carrier only if exactly one has it and
 * the user may open it.
 */
export const TrunkName = ({ row }: { row: RecentCall }) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const name = row.trunk ?? ''
  const { data = [] } = useQuery({
    queryKey: namedQueryKey('voip_carrier', 'ofTrunk', service_provider_sid, name),
    queryFn: async ({ signal }) => {
      const query = { name }
      const { rows } =
        actor.scope === 'account'
          ? await requestList(voipCarrier.list, { query, signal })
          : await requestList(carriersOfProvider.list, { params: { service_provider_sid }, query, signal })
      return rows
    },
    enabled: name !== '',
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  const [carrier, ...otherCarriers] = findCarriers(data, row)
  const canOpen = actor.scope !== 'account' || carrier?.account_sid === actor.account_sid
  if (!carrier || otherCarriers.length > 0 || !canOpen) return name
  return (
    <Link href={paths.carriers.view(carrier.voip_carrier_sid)} muted>
      {name}
    </Link>
  )
}

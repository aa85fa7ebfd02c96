import { useQuery } from '@tanstack/react-query'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { limitConcurrency } from '../../lib/limit-concurrency'
import { namedQueryKey } from '../../lib/query-keys'
import { listSipGateways } from './carrier-requests'
import css from './gateway-counts.module.css'

const Counts = ({ inbound, outbound }: { inbound: number; outbound: number }) => (
  <span className={css.counts}>
    <span data-none={inbound === 0 || undefined}>{inbound} inbound</span>
    <span data-none={outbound === 0 || undefined}>{outbound} outbound</span>
  </span>
)

/** Limits concurrent requests, so that a page of carriers does not delay other requests. */
const runLimited = limitConcurrency(4)

/** Requests the gateways of one row. Only visible rows are rendered, so only their gateways are requested. */
const FetchedCounts = ({ sid }: { sid: string }) => {
  const { data, isError } = useQuery({
    queryKey: namedQueryKey('sip_gateway', 'ofCarrier', sid),
    queryFn: ({ signal }) => runLimited(() => listSipGateways(sid, signal)),
    meta: { suppressErrorToast: true },
  })
  if (isError) return <span className={css.error}>{messages.gatewaysError}</span>
  if (!data) return <span className={css.counts}>{messages.checkingGateways}</span>
  return (
    <Counts
      inbound={data.filter(({ inbound }) => inbound).length}
      outbound={data.filter(({ outbound }) => outbound).length}
    />
  )
}

/** The numbers of inbound and outbound gateways: from the row, or from a request if the server does not count them. */
export const GatewayCounts = ({ row }: { row: VoipCarrier }) =>
  row.inbound_gateways === undefined || row.outbound_gateways === undefined ? (
    <FetchedCounts sid={row.voip_carrier_sid} />
  ) : (
    <Counts inbound={row.inbound_gateways} outbound={row.outbound_gateways} />
  )

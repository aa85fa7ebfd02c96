import { useQuery } from '@tanstack/react-query'
import { voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import { QueryPanel } from '../../kit/record/query-panel'
import { RecordOverview } from '../../kit/record/record-page'
import { UsedByPanel } from '../../kit/record/used-by-panel'
import { FailingCarrierRow } from '../../panels/calls/failing-carrier-row'
import { useFailingCarrier } from '../../panels/calls/failing-carriers-query'
import { FailuresPanel } from '../../panels/calls/failures-panel'
import { RecentCallsPanel } from '../../panels/calls/recent-calls-panel'
import type { RecordCalls } from '../../panels/calls/record-calls'
import { WeekPanel } from '../../panels/calls/week-panel'
import { namedQueryKey } from '../../lib/query-keys'
import { useActor } from '../../session/session'
import { Panel } from '../../ui/record/panel'
import { PanelList, PanelRow } from '../../ui/record/panel-list'
import { ActiveStatus } from '../../ui/status'
import { useCarrierRemoval } from './carrier-removal'
import { listSipGateways, readCarrierRow } from './carrier-requests'
import { useCarrierCalls, useCarrierPage } from './page'
import css from './record.module.css'

const formatAddress = ({ ipv4, port, netmask, inbound, outbound }: SipGateway) => {
  // the platform ignores the netmask of a gateway that it only calls
  const network = inbound && !outbound && netmask !== null && netmask < 32 ? `/${netmask}` : ''
  return port === null ? `${ipv4}${network}` : `${ipv4}${network}:${port}`
}

const formatDirection = ({ inbound, outbound }: SipGateway) => {
  if (inbound && outbound) return 'Inbound and outbound'
  if (inbound) return 'Inbound'
  return outbound ? 'Outbound' : ''
}

/** The SIP gateways of a carrier. */
const GatewaysPanel = ({ sid }: { sid: string }) => {
  const query = useQuery({
    queryKey: namedQueryKey('sip_gateway', 'ofCarrier', sid),
    queryFn: ({ signal }) => listSipGateways(sid, signal),
    meta: { suppressErrorToast: true },
  })
  return (
    <QueryPanel
      title="Gateways"
      span={12}
      query={query}
      skeleton={{ rows: 2 }}
      isEmpty={(gateways) => gateways.length === 0}
      count={(gateways) => gateways.length}
    >
      {(gateways) => (
        // the last column takes the remaining space, so that the others start near each other
        <PanelList columns="fit-content(400px) auto auto minmax(0, 1fr)">
          {gateways.map((row) => (
            <PanelRow key={row.sip_gateway_sid}>
              <span className={css.address}>{formatAddress(row)}</span>
              <span className={css.protocol}>{row.protocol ?? ''}</span>
              <span className={css.direction}>{formatDirection(row)}</span>
              <ActiveStatus isActive={row.is_active} />
            </PanelRow>
          ))}
        </PanelList>
      )}
    </QueryPanel>
  )
}

/** What fails at the carrier now. Absent if nothing does. */
const FailurePanel = ({ sid, calls }: { sid: string; calls: RecordCalls | undefined }) => {
  const { data: row, dataUpdatedAt } = useFailingCarrier(sid)
  return row && calls ? (
    <Panel title="Failing" span={12}>
      <ul>
        <FailingCarrierRow row={row} scope={calls.scope} now={dataUpdatedAt} />
      </ul>
    </Panel>
  ) : null
}

/** The page of a carrier. */
export const CarrierRecord = ({ sid = '' }: { sid?: string }) => {
  const actor = useActor()
  const getCalls = useCarrierCalls()
  const { findDependents, createListPaths } = useCarrierRemoval()
  return (
    <RecordOverview
      {...useCarrierPage(sid)}
      sid={sid}
      read={(carrierSid, signal) => readCarrierRow(actor, carrierSid, signal)}
    >
      {(row) => {
        const calls = row && getCalls(row)
        // account users do not see who else uses a shared carrier
        const isOfTenant = row !== undefined && (actor.scope !== 'account' || row.account_sid === actor.account_sid)
        return (
          <>
            <FailurePanel sid={sid} calls={calls} />
            <GatewaysPanel sid={sid} />
            <WeekPanel calls={calls} />
            <FailuresPanel calls={calls} />
            <RecentCallsPanel calls={calls} />
            {findDependents && isOfTenant ? (
              <>
                <UsedByPanel
                  title="Numbers"
                  span={5}
                  resource={voipCarrier}
                  row={row}
                  findDependents={findDependents}
                  shows={({ kind }) => kind === 'phone_number'}
                  listPaths={createListPaths?.(row)}
                />
                <UsedByPanel
                  title="Outbound call routing"
                  span={5}
                  resource={voipCarrier}
                  row={row}
                  findDependents={findDependents}
                  shows={({ kind }) => kind === 'lcr'}
                />
              </>
            ) : null}
          </>
        )
      }}
    </RecordOverview>
  )
}

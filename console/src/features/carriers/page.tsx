import { voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import type { ReactNode } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { RecordSettings, type RecordPageOptions } from '../../kit/record/record-page'
import { useLoadedDependentCount } from '../../kit/record/use-dependents'
import { paths } from '../../lib/paths'
import { createCallsPath, type RecordCalls } from '../../panels/calls/record-calls'
import { useNumberListPaths } from '../../panels/number-links'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { CarrierStatus } from './carrier-status'
import { useCarrierRemoval } from './carrier-removal'
import { RegistrationStatus } from './registration-status'

/** The calls over a carrier: call records name the carrier, not its SID. */
export const useCarrierCalls = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  return (row: VoipCarrier): RecordCalls => ({
    scope: actor.scope === 'account' ? ['account', actor.account_sid] : ['provider', service_provider_sid],
    filters: { trunk: row.name },
    search: { trunk: row.name },
  })
}

/** What the two screens of a carrier have in common. */
export const useCarrierPage = (sid: string): RecordPageOptions<VoipCarrier> => {
  const isAccountUser = useActor().scope === 'account'
  const { phone_number: numbersPath } = useNumberListPaths('carrier')(sid)
  const numberCount = useLoadedDependentCount('voip_carrier', sid, 'phone_number')
  const getCalls = useCarrierCalls()
  return {
    resource: voipCarrier,
    paths: paths.carriers,
    listPath: paths.carriers.list,
    canDuplicate: true,
    links: (row) => [
      ...(numbersPath ? [{ id: 'numbers', label: 'Numbers', href: numbersPath, count: numberCount }] : []),
      ...(row?.name ? [{ id: 'calls', label: 'Calls', href: createCallsPath(getCalls(row), { date: '7' }) }] : []),
    ],
    removeOptions: useCarrierRemoval(),
    status: (row) => <CarrierStatus row={row} />,
    facts: (row) => [
      ...(isAccountUser
        ? []
        : [{ label: 'Used by', value: <RecordName kind="account" row={row} emptyLabel="All accounts" link /> }]),
      ...(row.requires_register ? [{ label: 'Registration', value: <RegistrationStatus row={row} /> }] : []),
    ],
  }
}

/** The frame of the form of a carrier. */
export const CarrierSettings = ({ sid, children }: { sid: string; children: ReactNode }) => (
  <RecordSettings {...useCarrierPage(sid)} sid={sid}>
    {children}
  </RecordSettings>
)

import { voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import type { ReactNode } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { RecordSettings, type RecordPageOptions } from '../../kit/record/record-page'
import { paths } from '../../lib/paths'
import { useNumberListPaths } from '../../panels/number-links'
import { useActor } from '../../session/session'
import { ActiveStatus } from '../../ui/status'
import { useCarrierRemoval } from './carrier-removal'
import { RegistrationStatus } from './registration-status'

/** What the two screens of a carrier have in common. */
export const useCarrierPage = (sid: string): RecordPageOptions<VoipCarrier> => {
  const isAccountUser = useActor().scope === 'account'
  const { phone_number: numbersPath } = useNumberListPaths('carrier')(sid)
  return {
    resource: voipCarrier,
    paths: paths.carriers,
    listPath: paths.carriers.list,
    canDuplicate: true,
    links: numbersPath ? [{ id: 'numbers', label: 'Numbers', href: numbersPath }] : [],
    removeOptions: useCarrierRemoval(),
    status: ({ is_active }) => <ActiveStatus isActive={is_active} />,
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

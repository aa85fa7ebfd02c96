import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { useFailingCarrier } from '../../panels/calls/failing-carriers-query'
import { ActiveStatus, Status } from '../../ui/status'

/** Whether a carrier is in use, and whether it works. */
export const CarrierStatus = ({ row: { voip_carrier_sid, is_active } }: { row: VoipCarrier }) => {
  const { data: failingCarrier } = useFailingCarrier(voip_carrier_sid)
  return is_active && failingCarrier ? <Status kind="bad">Failing</Status> : <ActiveStatus isActive={is_active} />
}

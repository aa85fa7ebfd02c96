import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { messages } from '@trunkline/contract/messages/carrier'
import { PlugZap, Unplug } from 'lucide-react'
import { Status } from '../../ui/status'

/** The state that the SIP side writes when the carrier took the registration. */
const success = 'ok'

type Registering = Pick<VoipCarrier, 'register_status'>

export const isRegistered = ({ register_status }: Registering) => register_status.status === success

/** Has the SIP side tried at all? */
export const hasBegun = ({ register_status }: Registering) => Boolean(register_status.status)

/** Registered or not, as a word. */
export const Registration = ({ row, tint }: { row: Registering; tint?: boolean }) =>
  isRegistered(row) ? (
    <Status kind="ok" icon={PlugZap} tint={tint}>
      {messages.registered}
    </Status>
  ) : (
    <Status kind="bad" icon={Unplug}>
      {messages.unregistered}
    </Status>
  )

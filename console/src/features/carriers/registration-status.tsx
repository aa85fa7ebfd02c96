import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { PlugZap, Unplug } from 'lucide-react'
import { Status } from '../../ui/status'

/** The status that the SIP server writes after a successful registration. */
const registeredStatus = 'ok'

/** The part of a carrier that the SIP server writes. Another server may omit the status. */
interface RegistrationRow {
  register_status?: VoipCarrier['register_status'] | null
}

export const isRegistered = ({ register_status }: RegistrationRow) => register_status?.status === registeredStatus

/** Returns whether the SIP server has tried to register. */
export const hasTriedToRegister = ({ register_status }: RegistrationRow) => Boolean(register_status?.status)

/** The registration status: red only after the carrier has refused, with the reason as tooltip. */
export const RegistrationStatus = ({ row, tint }: { row: RegistrationRow; tint?: boolean }) => {
  if (!hasTriedToRegister(row)) return <Status kind="off">{messages.notStarted}</Status>
  return isRegistered(row) ? (
    <Status kind="ok" icon={PlugZap} tint={tint}>
      {messages.registered}
    </Status>
  ) : (
    <Status kind="bad" icon={Unplug} title={row.register_status?.reason ?? undefined}>
      {messages.unregistered}
    </Status>
  )
}

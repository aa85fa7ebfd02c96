import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/carrier'
import { sbc } from '@trunkline/contract/resources/sbc'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { call } from '../../lib/client'
import { useProviderSid } from '../../session/provider'
import { useActor } from '../../session/session'
import { Box, KeyValues } from '../../ui/box'
import { CopyText } from '../../ui/copy'
import { Status } from '../../ui/status'
import css from './beside.module.css'
import { hasBegun, Registration } from './registration'
import { useRealm } from './send-calls'

const RegisterStatus = ({ row }: { row: VoipCarrier }) => {
  const { reason, callId } = row.register_status
  const begun = hasBegun(row)
  const items = [
    ...(reason ? [{ label: 'Reason', value: reason }] : []),
    ...(callId ? [{ label: 'Call ID', value: <CopyText text={callId} label="Copy Call ID" always /> }] : []),
  ]
  return (
    <Box
      title="Register status"
      end={begun ? <Registration row={row} tint /> : <Status kind="off">{messages.notStarted}</Status>}
    >
      {items.length > 0 ? (
        <KeyValues items={items} />
      ) : (
        <p className={css.quiet}>
          {begun ? 'The carrier gave no reason.' : 'The platform has not signed in to this carrier yet.'}
        </p>
      )}
    </Box>
  )
}

const Inbound = ({ account_sid }: { account_sid: string | null }) => {
  const realm = useRealm(account_sid)
  if (!realm) return null
  return (
    <Box title="Inbound calls">
      <p className={css.quiet}>{messages.sendCallsTo}</p>
      <CopyText text={realm} always />
    </Box>
  )
}

const Signalling = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const asked = actor.scope === 'admin' ? { service_provider_sid } : {}
  const { data } = useQuery({
    queryKey: ['sbc', 'list', asked],
    queryFn: ({ signal }) => call(sbc.list, { query: asked, signal }),
    staleTime: 60_000,
    meta: { quiet: true },
  })
  const rows = Array.isArray(data) ? data : (data?.data ?? [])
  if (rows.length === 0) return null
  return (
    <Box title="Signalling addresses">
      <p className={css.quiet}>Have your carrier whitelist these.</p>
      <ul className={css.addresses}>
        {rows.map(({ sbc_address_sid, ipv4, port }) => (
          <li key={sbc_address_sid}>
            <CopyText text={`${ipv4}:${port}`} always />
          </li>
        ))}
      </ul>
    </Box>
  )
}

export interface BesideProps {
  /** The carrier that is edited. */
  row: VoipCarrier | undefined
  /** The account that is chosen in the form. */
  account_sid: string | null
}

/** Beside the carrier's form: how its registration stands, and what its operator has to be told. */
export const Beside = ({ row, account_sid }: BesideProps) => (
  <>
    {row?.requires_register ? <RegisterStatus row={row} /> : null}
    <Inbound account_sid={account_sid} />
    <Signalling />
  </>
)

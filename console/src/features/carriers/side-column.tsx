import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { sbc } from '@trunkline/contract/resources/sbc'
import { smpp } from '@trunkline/contract/resources/smpp'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { RelatedCalls } from '../../panels/related-calls'
import { request } from '../../lib/client'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Box } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { Tag } from '../../ui/tag'
import css from './side-column.module.css'
import { rowsOf } from './carrier-requests'
import { RegistrationDetails } from './registration-details'
import { useInboundDomain } from './inbound-domain-hint'

const InboundCallsBox = ({ account_sid }: { account_sid: string | null }) => {
  const domain = useInboundDomain(account_sid)
  if (!domain) return null
  return (
    <Box title="Inbound calls">
      <p className={css.quiet}>{messages.sendCallsTo}</p>
      <CopyText text={domain} always />
    </Box>
  )
}

const AddressesBox = ({ title, rows }: { title: string; rows: { sid: string; text: string; note?: string }[] }) =>
  rows.length === 0 ? null : (
    <Box title={title}>
      <p className={css.quiet}>Ask your carrier to allow these addresses.</p>
      <ul className={css.addresses}>
        {rows.map(({ sid, text, note }) => (
          <li key={sid}>
            <CopyText text={text} always>
              {text} {note ? <Tag>{note}</Tag> : null}
            </CopyText>
          </li>
        ))}
      </ul>
    </Box>
  )

const SignallingAddresses = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const query = actor.scope === 'admin' ? { service_provider_sid } : {}
  const { data = [] } = useQuery({
    queryKey: ['sbc', 'list', query],
    queryFn: async ({ signal }) => rowsOf(await request(sbc.list, { query, signal })),
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  const rows = data.map(({ sbc_address_sid, ipv4, port }) => ({ sid: sbc_address_sid, text: `${ipv4}:${port}` }))
  return <AddressesBox title="Signalling addresses" rows={rows} />
}

/** The provider's SMPP addresses, or the platform's if it has none. */
const listSmppAddresses = async (service_provider_sid: string, signal: AbortSignal) => {
  const providerAddresses = rowsOf(await request(smpp.list, { query: { service_provider_sid }, signal }))
  return providerAddresses.length > 0 ? providerAddresses : rowsOf(await request(smpp.list, { signal }))
}

const SmppAddresses = () => {
  const service_provider_sid = useProviderSid()
  const { data = [] } = useQuery({
    queryKey: ['smpp', 'list', service_provider_sid],
    queryFn: ({ signal }) => listSmppAddresses(service_provider_sid, signal),
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  const rows = data.map(({ smpp_address_sid, ipv4, port, use_tls }) => ({
    sid: smpp_address_sid,
    text: `${ipv4}:${port}`,
    ...(use_tls ? { note: 'TLS' } : {}),
  }))
  return <AddressesBox title="SMPP addresses" rows={rows} />
}

/** The tabs of the form. */
export type TabId = 'voice' | 'sms'

export interface SideColumnProps {
  /** The carrier; undefined for a new one. */
  row: VoipCarrier | undefined
  /** The selected account in the form. */
  account_sid: string | null
  /** The open tab: voice shows SIP addresses, SMS shows SMPP addresses. */
  tab: TabId
}

/** The side column of the carrier form: registration status, the addresses to give to the carrier, and recent calls. */
export const SideColumn = ({ row, account_sid, tab }: SideColumnProps) => (
  <>
    {row?.requires_register ? <RegistrationDetails row={row} /> : null}
    <InboundCallsBox account_sid={account_sid} />
    {tab === 'voice' ? <SignallingAddresses /> : <SmppAddresses />}
    {row ? <RelatedCalls filter={{ trunk: row.name }} /> : null}
  </>
)

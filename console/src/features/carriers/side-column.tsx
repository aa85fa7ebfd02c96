import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { smpp } from '@trunkline/contract/resources/smpp'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { RelatedCalls } from '../../panels/related-calls'
import { useSignallingAddresses } from '../../panels/signalling-addresses'
import { requestList } from '../../lib/request-list'
import { namedQueryKey } from '../../lib/query-keys'
import { useProviderSid } from '../../session/current-provider'
import { Box } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { Tag } from '../../ui/tag'
import css from './side-column.module.css'
import { RegistrationDetails } from './registration-details'
import { useInboundDomain } from './inbound-domain-hint'

const InboundCallsBox = ({ account_sid }: { account_sid: string | null }) => {
  const domain = useInboundDomain(account_sid)
  if (!domain) return null
  return (
    <Box title="Inbound calls">
      <p className={css.muted}>{messages.sendCallsTo}</p>
      <CopyText text={domain} alwaysShowCopyButton />
    </Box>
  )
}

const AddressesBox = ({ title, rows }: { title: string; rows: { sid: string; text: string; note?: string }[] }) =>
  rows.length === 0 ? null : (
    <Box title={title}>
      <p className={css.muted}>Ask your carrier to allow these addresses.</p>
      <ul className={css.addresses}>
        {rows.map(({ sid, text, note }) => (
          <li key={sid}>
            <CopyText text={text} alwaysShowCopyButton>
              {text} {note ? <Tag>{note}</Tag> : null}
            </CopyText>
          </li>
        ))}
      </ul>
    </Box>
  )

const SignallingAddresses = () => <AddressesBox title="Signalling addresses" rows={useSignallingAddresses()} />

/** The provider's SMPP addresses, or the platform's if it has none. */
const listSmppAddresses = async (service_provider_sid: string, signal: AbortSignal) => {
  const { rows } = await requestList(smpp.list, { query: { service_provider_sid }, signal })
  return rows.length > 0 ? rows : (await requestList(smpp.list, { signal })).rows
}

const SmppAddresses = () => {
  const service_provider_sid = useProviderSid()
  const { data = [] } = useQuery({
    queryKey: namedQueryKey('smpp', 'all', service_provider_sid),
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
export type CarrierTab = 'voice' | 'sms'

export interface SideColumnProps {
  /** The carrier; undefined for a new one. */
  row: VoipCarrier | undefined
  /** The selected account in the form. */
  account_sid: string | null
  /** The open tab: the voice tab shows SIP addresses, the SMS tab shows SMPP addresses. */
  tab: CarrierTab
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

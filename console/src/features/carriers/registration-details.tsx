import { useMutation, useQuery } from '@tanstack/react-query'
import { capturesOfAccount, capturesOfProvider } from '@trunkline/contract/resources/recent-call'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { Download, Waypoints } from 'lucide-react'
import { request, requestUntyped } from '../../lib/client'
import { paths } from '../../lib/paths'
import { downloadFile } from '../../lib/download-file'
import { namedQueryKey } from '../../lib/query-keys'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Box, KeyValues } from '../../ui/form/box'
import { Button, ButtonLink } from '../../ui/button'
import { CopyText } from '../../ui/copy'
import css from './side-column.module.css'
import { hasTriedToRegister, isRegistered, RegistrationStatus } from './registration-status'

/** The requests for the capture of one SIP dialog: in the path of the carrier's account, or of its provider for a shared carrier. */
const useCaptureRequests = (row: VoipCarrier, sip_callid: string) => {
  const actor = useActor()
  const currentProviderSid = useProviderSid()
  const account_sid = actor.scope === 'account' ? actor.account_sid : row.account_sid
  if (account_sid) {
    const params = { account_sid, sip_callid }
    return {
      fetchSummary: (signal: AbortSignal) => request(capturesOfAccount.summary, { params, signal }),
      fetchPcap: () => requestUntyped(capturesOfAccount.pcap, { params: { ...params, method: 'register' } }),
    }
  }
  const params = { service_provider_sid: row.service_provider_sid ?? currentProviderSid, sip_callid }
  return {
    fetchSummary: (signal: AbortSignal) => request(capturesOfProvider.summary, { params, signal }),
    fetchPcap: () => requestUntyped(capturesOfProvider.pcap, { params: { ...params, method: 'register' } }),
  }
}

const getCallFlowUrl = (callId: string) => `${paths.captures}?${new URLSearchParams({ call_id: callId }).toString()}`

/** The capture of the last registration, if the platform captures SIP. */
const RegistrationCapture = ({ row, callId }: { row: VoipCarrier; callId: string }) => {
  const requests = useCaptureRequests(row, callId)
  const { data } = useQuery({
    queryKey: namedQueryKey('recent_call', 'registration', callId),
    queryFn: ({ signal }) => requests.fetchSummary(signal),
    retry: false,
    meta: { suppressErrorToast: true },
  })
  const download = useMutation({
    mutationFn: async () => downloadFile((await requests.fetchPcap()) as Blob, `callid-${callId}.pcap`),
  })
  if (!data?.total) return null
  return (
    <div className={css.download}>
      <ButtonLink icon={Waypoints} block size="sm" href={getCallFlowUrl(callId)}>
        Open call flow
      </ButtonLink>
      <Button icon={Download} block size="sm" pending={download.isPending} onClick={() => download.mutate()}>
        Download pcap
      </Button>
    </div>
  )
}

/** The registration status of a carrier, with the reason and Call ID. */
export const RegistrationDetails = ({ row }: { row: VoipCarrier }) => {
  const { reason, callId } = row.register_status ?? {}
  const explanation = hasTriedToRegister(row)
    ? 'The carrier gave no reason.'
    : 'The platform has not tried to register yet.'
  const items = [
    ...(reason ? [{ label: 'Reason', value: reason }] : []),
    ...(callId
      ? [{ label: 'Call-ID', value: <CopyText text={callId} label="Copy Call-ID" alwaysShowCopyButton /> }]
      : []),
  ]
  return (
    <Box title="Register status" end={<RegistrationStatus row={row} tint />}>
      {items.length > 0 ? (
        <KeyValues items={items} />
      ) : (
        <p className={css.muted}>{isRegistered(row) ? null : explanation}</p>
      )}
      {callId ? <RegistrationCapture row={row} callId={callId} /> : null}
    </Box>
  )
}

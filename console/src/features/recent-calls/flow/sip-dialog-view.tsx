import { useMutation, useQuery } from '@tanstack/react-query'
import { messages as callFlowMessages } from '@trunkline/contract/messages/call-flow'
import { messages } from '@trunkline/contract/messages/capture'
import type { CaptureSummary } from '@trunkline/contract/resources/recent-call'
import { Download, Inbox, PhoneCall } from 'lucide-react'
import { capabilitiesQuery, noCapabilities } from '../../../lib/server-capabilities'
import { paths } from '../../../lib/paths'
import { Problem, getErrorMessage } from '../../../lib/problem'
import { downloadFile } from '../../../lib/download-file'
import { namedQueryKey } from '../../../lib/query-keys'
import { useActor } from '../../../session/session'
import { Button, ButtonLink } from '../../../ui/button'
import { CopyText } from '../../../ui/copy'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { FailedState } from '../../../ui/feedback/failed-state'
import { ScreenLayout } from '../../../ui/shell/screen-layout'
import { CaptureLadder } from './call-flow'
import css from '../captures/captured-sip.module.css'
import { useCaptureRequests } from './call-capture'
import sectionCss from '../detail/detail-section.module.css'

/** Captures of calls and of registrations have different URLs. The CSeq header shows which kind it is. */
const getMethod = (summary: CaptureSummary): 'invite' | 'register' => {
  const { data } = summary as { data?: { messages?: { raw?: unknown }[] } }
  const messages = Array.isArray(data?.messages) ? data.messages : []
  const isRegistration = messages.some(({ raw }) => /^cseq[ \t]*:[ \t]*\d+[ \t]+REGISTER\b/im.test(String(raw)))
  return isRegistration ? 'register' : 'invite'
}

const isMissing = (error: unknown) => error instanceof Problem && error.status >= 400 && error.status < 500

const useSipDialogCapture = (callId: string) => {
  const captureRequests = useCaptureRequests({ account_sid: null })
  const query = useQuery({
    queryKey: namedQueryKey('recent_call', 'captureSummary', callId),
    queryFn: ({ signal }) =>
      captureRequests.fetchSummary(callId, signal).catch((error: unknown) => {
        if (isMissing(error)) return { total: 0 }
        throw error
      }),
    retry: false,
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  const method = query.data ? getMethod(query.data) : 'invite'
  return { ...query, loadPcap: (signal?: AbortSignal) => captureRequests.fetchPcap(callId, signal, method) }
}

const MissingCapture = () => {
  const actor = useActor()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const isV1Server = capabilities === noCapabilities
  return (
    <EmptyState
      icon={Inbox}
      title={isV1Server ? messages.notProvided : messages.none}
      text={isV1Server ? undefined : actor.scope === 'admin' ? messages.retention : messages.accessHint}
    />
  )
}

const getCallsUrl = (callId: string) =>
  `${paths.recentCalls}?${new URLSearchParams({ date: '30', text: callId }).toString()}`

const SipDialogLinks = ({ callId }: { callId: string }) => {
  const actor = useActor()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  return (
    <>
      {actor.scope === 'admin' && capabilities?.captures ? (
        <ButtonLink variant="borderless" href={paths.captures}>
          {messages.all}
        </ButtonLink>
      ) : null}
      {capabilities?.callSearch ? (
        <ButtonLink icon={PhoneCall} variant="borderless" href={getCallsUrl(callId)}>
          {messages.calls}
        </ButtonLink>
      ) : null}
    </>
  )
}

/** The ladder of one captured SIP dialog, with or without a call record. */
export const SipDialogView = ({ callId }: { callId: string }) => {
  const { data, error, refetch, isFetching, loadPcap } = useSipDialogCapture(callId)
  const download = useMutation({ mutationFn: async () => downloadFile(await loadPcap(), `callid-${callId}.pcap`) })
  const hasMessages = Boolean(data?.total)
  return (
    <ScreenLayout
      title={callFlowMessages.title}
      description={<CopyText text={callId} label="Copy Call-ID" alwaysShowCopyButton />}
      actions={
        <div className={css.actions}>
          <SipDialogLinks callId={callId} />
          {hasMessages ? (
            <Button icon={Download} pending={download.isPending} onClick={() => download.mutate()}>
              Download pcap
            </Button>
          ) : null}
        </div>
      }
    >
      <div className={css.flow}>
        {hasMessages ? <CaptureLadder cacheKey={callId} load={async (signal) => [await loadPcap(signal)]} /> : null}
        {data && !hasMessages ? <MissingCapture /> : null}
        {error ? (
          <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
        ) : null}
        {!data && !error ? (
          <div className={sectionCss.placeholder} aria-busy="true" aria-label={messages.loading} role="status" />
        ) : null}
      </div>
    </ScreenLayout>
  )
}

import { useMutation, useQuery } from '@tanstack/react-query'
import { messages as flow } from '@trunkline/contract/messages/call-flow'
import { messages } from '@trunkline/contract/messages/capture'
import type { SipTrace } from '@trunkline/contract/resources/recent-call'
import { Download, Inbox, PhoneCall } from 'lucide-react'
import { capabilitiesQuery, noCapabilities } from '../../../lib/server-capabilities'
import { paths } from '../../../lib/paths'
import { Problem, getErrorMessage } from '../../../lib/problem'
import { saveFile } from '../../../lib/save-file'
import { useActor } from '../../../session/session'
import { Button, ButtonLink } from '../../../ui/button'
import { CopyText } from '../../../ui/copy'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { FailedState } from '../../../ui/feedback/failed-state'
import { Page } from '../../../ui/shell/page'
import { CaptureLadder } from './call-flow'
import css from '../captures/captured-sip.module.css'
import { useDialogue } from './captured-dialogue'
import part from '../detail/detail-section.module.css'

/** Captures of calls and of registrations have different URLs. The CSeq header shows which kind it is. */
const methodOf = (trace: SipTrace): 'invite' | 'register' => {
  const { data } = trace as { data?: { messages?: { raw?: unknown }[] } }
  const isRegistration = data?.messages?.some(({ raw }) => /^cseq[ \t]*:[ \t]*\d+[ \t]+REGISTER\b/im.test(String(raw)))
  return isRegistration ? 'register' : 'invite'
}

const isMissing = (error: unknown) => error instanceof Problem && error.status >= 400 && error.status < 500

const useDialogueTrace = (callId: string) => {
  const dialogue = useDialogue({ account_sid: null })
  const query = useQuery({
    queryKey: ['recent_call', 'captured', callId],
    queryFn: ({ signal }) =>
      dialogue.trace(callId, signal).catch((error: unknown) => {
        if (isMissing(error)) return { total: 0 }
        throw error
      }),
    retry: false,
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  const method = query.data ? methodOf(query.data) : 'invite'
  return { ...query, file: (signal?: AbortSignal) => dialogue.pcap(callId, signal, method) }
}

const MissingDialogue = () => {
  const actor = useActor()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const isOtherServer = capabilities === noCapabilities
  return (
    <EmptyState
      icon={Inbox}
      title={isOtherServer ? messages.notProvided : messages.none}
      text={isOtherServer ? undefined : actor.scope === 'admin' ? messages.retention : messages.accessHint}
    />
  )
}

const callsUrl = (callId: string) =>
  `${paths.recentCalls}?${new URLSearchParams({ date: '30', text: callId }).toString()}`

const DialogueLinks = ({ callId }: { callId: string }) => {
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
        <ButtonLink icon={PhoneCall} variant="borderless" href={callsUrl(callId)}>
          {messages.calls}
        </ButtonLink>
      ) : null}
    </>
  )
}

/** The ladder of one captured dialogue, with or without a call record. */
export const CapturedDialogueView = ({ callId }: { callId: string }) => {
  const { data, error, refetch, isFetching, file } = useDialogueTrace(callId)
  const download = useMutation({ mutationFn: async () => saveFile(await file(), `callid-${callId}.pcap`) })
  const hasMessages = Boolean(data?.total)
  return (
    <Page
      title={flow.title}
      description={<CopyText text={callId} label="Copy Call-ID" always />}
      actions={
        <div className={css.actions}>
          <DialogueLinks callId={callId} />
          {hasMessages ? (
            <Button icon={Download} pending={download.isPending} onClick={() => download.mutate()}>
              Download pcap
            </Button>
          ) : null}
        </div>
      }
    >
      <div className={css.flow}>
        {hasMessages ? <CaptureLadder name={callId} load={async (signal) => [await file(signal)]} /> : null}
        {data && !hasMessages ? <MissingDialogue /> : null}
        {error ? (
          <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
        ) : null}
        {!data && !error ? (
          <div className={part.waiting} aria-busy="true" aria-label={messages.loading} role="status" />
        ) : null}
      </div>
    </Page>
  )
}

import { messages } from '@trunkline/contract/messages/live-call'
import type { LiveCall } from '@trunkline/contract/shapes/live-call'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, type RouterHistory } from '@tanstack/react-router'
import { Phone, PhoneOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ListState } from '../../../kit/list/paging'
import { formatParties } from '../../../panels/calls/call-source'
import { useLiveCalls, type TimedCall } from '../../../panels/calls/live-calls'
import { ButtonLink } from '../../../ui/button'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { FailedState } from '../../../ui/feedback/failed-state'
import { Notice } from '../../../ui/notice'
import { Status } from '../../../ui/status'
import { getErrorMessage } from '../../../lib/problem'
import { recordTitleKey } from '../../../lib/query-keys'
import { paths } from '../../../lib/paths'
import { formatElapsed, formatStatus, HangUpButton, useNow } from '../list/live-call'
import { filterLiveCalls } from '../list/live-call-filter'
import { useLiveCallPath } from '../list/live-call-path'
import { CallTabs } from './call-detail-panel'
import panelCss from './call-detail-panel.module.css'
import { CallFacts, CallHead, Fact, useCallKeys } from './call-view'
import css from './call-view.module.css'

/** The fields of finished calls, for the tabs of a call in progress. */
const toRecentCall = ({
  call_id,
  call_status,
  duration: _,
  service_url: _serviceUrl,
  ...call
}: LiveCall): RecentCall => {
  const toText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  return {
    ...call,
    // only estimated
    attempted_at: '',
    account_sid: toText(call.account_sid),
    answered: call_status === 'in-progress',
    answered_at: null,
    application_sid: toText(call.application_sid),
    call_sid: toText(call.call_sid),
    direction: toText(call.direction),
    duration: null,
    from: toText(call.from),
    host: null,
    recording_url: null,
    remote_host: null,
    service_provider_sid: toText(call.service_provider_sid),
    sip_callid: toText(call_id),
    sip_parent_callid: null,
    sip_status: call.sip_status ?? null,
    terminated_at: null,
    termination_reason: null,
    to: toText(call.to),
    trace_id: toText(call.trace_id),
    trunk: toText(call.originating_sip_trunk_name),
    // shown as the trunk
    originating_sip_trunk_name: null,
  }
}

/** Keeps the last state of a call after it ended. */
const useLastState = (call_sid: string, current: TimedCall | undefined) => {
  const [last, setLast] = useState<{ call_sid: string; timedCall: TimedCall }>()
  if (current && last?.timedCall !== current) setLast({ call_sid, timedCall: current })
  return current ?? (last?.call_sid === call_sid ? last.timedCall : undefined)
}

const Elapsed = ({ timedCall }: { timedCall: TimedCall }) => <>{formatElapsed(useNow(), timedCall)}</>

const EndedLink = ({ call_sid }: { call_sid: string }) => (
  <ButtonLink size="sm" href={paths.recentCall(call_sid)}>
    {messages.showEnded}
  </ButtonLink>
)

/** Returns functions that open the calls above and below, and close this one. */
const useNeighbors = (call_sid: string, calls: readonly TimedCall[]) => {
  const router = useRouter()
  const createPath = useLiveCallPath()
  const go = (path: string, replace = false) => {
    const history = router.history as RouterHistory
    if (replace) history.replace(path)
    else history.push(path)
  }
  const sids = calls.flatMap(({ call }) => call.call_sid ?? [])
  const index = sids.indexOf(call_sid)
  const createOpener = (sid: string | undefined) => (sid === undefined ? undefined : () => go(createPath(sid), true))
  return {
    openPrevious: index > 0 ? createOpener(sids[index - 1]) : undefined,
    openNext: createOpener(sids[index + 1]),
    close: () => go(createPath()),
  }
}

/** Stores the name of the call for the breadcrumbs. */
const useBreadcrumb = (call_sid: string, row: RecentCall | undefined) => {
  const cache = useQueryClient()
  const title = row && formatParties(row)
  useEffect(() => {
    if (title) cache.setQueryData(recordTitleKey('recent_call', call_sid), title)
  }, [cache, call_sid, title])
}

interface LiveCallViewProps {
  scope: readonly unknown[]
  /** The filters of the list, whose calls are the next and the previous one. */
  listState: ListState
  call_sid: string
}

interface LiveCallProps {
  call_sid: string
  timedCall: TimedCall
  row: RecentCall
  hasEnded: boolean
}

const LiveCallFacts = ({ timedCall, row, hasEnded }: Omit<LiveCallProps, 'call_sid'>) => (
  <CallFacts row={row}>
    {hasEnded ? null : (
      <Fact label="Duration">
        <Elapsed timedCall={timedCall} />
      </Fact>
    )}
  </CallFacts>
)

const LiveCallBody = ({ call_sid, timedCall, row, hasEnded }: LiveCallProps) => (
  <>
    {hasEnded ? (
      <Notice tone="ok" role="status" action={<EndedLink call_sid={call_sid} />}>
        {messages.ended}
      </Notice>
    ) : null}
    <div className={panelCss.panel} data-beside>
      <CallTabs row={row} isLive={!hasEnded} actions={hasEnded ? null : <HangUpButton call={timedCall.call} />} />
    </div>
  </>
)

const LiveStatus = ({ call }: { call: LiveCall }) => (
  <Status kind="ok" icon={Phone}>
    {formatStatus(call.call_status)}
  </Status>
)

interface MissingCallProps {
  call_sid: string
  isLoaded: boolean
  error: Error | null
  onRetry: () => unknown
}

const MissingCall = ({ call_sid, isLoaded, error, onRetry }: MissingCallProps) => {
  if (isLoaded)
    return (
      <EmptyState icon={PhoneOff} title={messages.notInProgress}>
        <EndedLink call_sid={call_sid} />
      </EmptyState>
    )
  return error ? <FailedState message={getErrorMessage(error)} onRetry={() => void onRetry()} /> : null
}

/** A call in progress: what it is, how long it has lasted, its trace so far, and a button to hang it up. */
export const LiveCallView = ({ scope, listState, call_sid }: LiveCallViewProps) => {
  const { data: calls, error, refetch } = useLiveCalls(scope)
  const current = calls?.find(({ call }) => call.call_sid === call_sid)
  const timedCall = useLastState(call_sid, current)
  const neighbors = useNeighbors(call_sid, filterLiveCalls(calls ?? [], listState))
  useCallKeys(neighbors)
  const row = timedCall && toRecentCall(timedCall.call)
  useBreadcrumb(call_sid, row)
  const liveCall = timedCall && row ? { call_sid, timedCall, row, hasEnded: current === undefined } : undefined
  return (
    <section className={css.view} aria-label="Call" aria-busy={(!calls && !error) || undefined}>
      <CallHead {...neighbors} row={row} status={current ? <LiveStatus call={current.call} /> : null}>
        {liveCall ? <LiveCallFacts {...liveCall} /> : null}
      </CallHead>
      {liveCall ? <LiveCallBody {...liveCall} /> : null}
      {liveCall ? null : <MissingCall {...{ call_sid, error }} isLoaded={calls !== undefined} onRetry={refetch} />}
    </section>
  )
}

import { useMutation } from '@tanstack/react-query'
import { messages as callFlowMessages } from '@trunkline/contract/messages/call-flow'
import { messages } from '@trunkline/contract/messages/recent-call'
import { messages as logMessages } from '@trunkline/contract/messages/system-log'
import { messages as traceMessages } from '@trunkline/contract/messages/trace'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { Download, Link2, TriangleAlert } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { lazyComponent } from '../../../ui/feedback/lazy-component'
import { serializeTimeRange } from '../../../lib/call-times'
import { paths } from '../../../lib/paths'
import { downloadFile } from '../../../lib/download-file'
import { useActor } from '../../../session/session'
import { Button, ButtonLink } from '../../../ui/button'
import { copyText } from '../../../ui/copy'
import { Tabs } from '../../../ui/tabs'
import { isRecorded } from '../list/call-cells'
import { CallDetails } from './call-details'
import { useCallCapture } from '../flow/call-capture'
import css from './call-detail-panel.module.css'
import { useCallTab } from './use-call-tab'
import { callKey, createCallPath } from '../../../panels/calls/call-source'
import { useLogParams } from '../logs/use-logs'
import { useTraceParams } from '../trace/use-trace'

/** Each is loaded when it is first shown. */
const CallTrace = lazyComponent(() => import('../trace/trace').then((module) => module.CallTrace))
const CallFlow = lazyComponent(() => import('../flow/call-flow').then((module) => module.CallFlow))
const Logs = lazyComponent(() => import('../logs/logs').then((module) => module.Logs))
const Player = lazyComponent(() => import('../player/player').then((module) => module.Player))

const getCallUrl = (row: RecentCall, account: string) => window.location.origin + createCallPath(row, account)

/** Alerts are raised during a call or within a minute after it. */
const alertMarginMs = 60_000

/**
 * Returns the URL of the account's alerts from the start of the call to its end; undefined if the record has no valid
 * start.
 */
const getAlertsUrl = ({ attempted_at, terminated_at }: RecentCall, account: string): string | undefined => {
  const startedAt = Date.parse(attempted_at)
  if (Number.isNaN(startedAt)) return undefined
  const endedAt = Date.parse(terminated_at ?? '') || startedAt
  const date = serializeTimeRange({ from: new Date(startedAt), to: new Date(endedAt + alertMarginMs) })
  return `${paths.alerts}?${new URLSearchParams({ date, ...(account ? { account } : {}) }).toString()}`
}

/** Downloads the capture of the call, if there is one. */
const CaptureDownload = ({ row }: { row: RecentCall }) => {
  const { isCaptured, loadCapture } = useCallCapture(row)
  const download = useMutation({
    mutationFn: async () => downloadFile(await loadCapture(), `callid-${row.sip_callid}.pcap`),
  })
  if (!isCaptured) return null
  return (
    <Button
      icon={Download}
      size="sm"
      variant="borderless"
      pending={download.isPending}
      onClick={() => download.mutate()}
    >
      <span className={css.buttonLabel}>Download pcap</span>
    </Button>
  )
}

const renderLazily = (content: ReactNode) => <Suspense fallback={null}>{content}</Suspense>

interface CallTabsProps {
  row: RecentCall
  /** The call is in progress, so that its trace grows. */
  isLive?: boolean
  actions: ReactNode
}

/** The details of a call, with tabs for its trace, ladder and logs if it has them. */
export const CallTabs = ({ row, isLive = false, actions }: CallTabsProps) => {
  const [tab, setTab] = useCallTab()
  const { isCaptured, reason } = useCallCapture(row)
  const traceParams = useTraceParams(row)
  const logParams = useLogParams(row)
  const key = callKey(row)
  const details = (
    <CallDetails row={row} reasons={{ capture: reason, trace: traceParams ? undefined : traceMessages.notTraced }} />
  )
  if (!traceParams && !isCaptured && !logParams)
    return (
      <>
        <div className={css.head}>{actions}</div>
        {details}
      </>
    )
  const tabs = [
    { id: 'details', label: 'Details', content: details },
    ...(traceParams
      ? [
          {
            id: 'trace',
            label: 'Tracing',
            content: renderLazily(<CallTrace key={key} {...traceParams} isLive={isLive} />),
          },
        ]
      : []),
    ...(isCaptured
      ? [{ id: 'flow', label: callFlowMessages.title, content: renderLazily(<CallFlow key={key} row={row} />) }]
      : []),
    ...(logParams
      ? [{ id: 'logs', label: logMessages.title, content: renderLazily(<Logs key={key} {...logParams} />) }]
      : []),
  ]
  return (
    <Tabs
      label="Call"
      value={tabs.some(({ id }) => id === tab) ? tab : 'details'}
      onChange={setTab}
      end={actions}
      tabs={tabs}
    />
  )
}

export interface CallDetailPanelProps {
  row: RecentCall
  /** The panel fills the height beside the list. */
  isBeside?: boolean
}

/** The detail panel of a call. */
export const CallDetailPanel = ({ row, isBeside }: CallDetailPanelProps) => {
  const actor = useActor()
  const account = actor.scope === 'account' ? '' : (row.account_sid ?? '')
  const alertsUrl = getAlertsUrl(row, account)
  return (
    // the style sheet limits the height of the tabs, so that the player stays in view
    <div className={css.panel} data-beside={isBeside || undefined} data-recorded={isRecorded(row) || undefined}>
      <CallTabs
        row={row}
        actions={
          <>
            <CaptureDownload key={callKey(row)} row={row} />
            {alertsUrl ? (
              <ButtonLink icon={TriangleAlert} size="sm" variant="borderless" href={alertsUrl}>
                <span className={css.buttonLabel}>Alerts</span>
              </ButtonLink>
            ) : null}
            <Button
              icon={Link2}
              size="sm"
              variant="borderless"
              onClick={() => void copyText(getCallUrl(row, account), messages.linkLabel)}
            >
              <span className={css.buttonLabel}>Copy link</span>
            </Button>
          </>
        }
      />
      {isRecorded(row) ? renderLazily(<Player key={callKey(row)} row={row} />) : null}
    </div>
  )
}

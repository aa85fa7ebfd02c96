import { useMutation } from '@tanstack/react-query'
import { messages as flow } from '@trunkline/contract/messages/call-flow'
import { messages } from '@trunkline/contract/messages/recent-call'
import { messages as logs } from '@trunkline/contract/messages/system-log'
import { messages as trace } from '@trunkline/contract/messages/trace'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { Download, Link2, TriangleAlert } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { lazyComponent } from '../../../ui/feedback/lazy-component'
import { serializeTimeRange } from '../../../lib/call-times'
import { paths } from '../../../lib/paths'
import { saveFile } from '../../../lib/save-file'
import { useActor } from '../../../session/session'
import { Button, ButtonLink } from '../../../ui/button'
import { copyText } from '../../../ui/copy'
import { Tabs } from '../../../ui/tabs'
import { isRecorded } from '../list/call-cells'
import { Details } from './call-details'
import { useCaptured } from '../flow/captured-dialogue'
import css from './call-detail-panel.module.css'
import { callKey } from '../list/call-source'
import { useLogPlace } from '../logs/use-logs'
import { useTracePlace } from '../trace/use-trace'

/** Each is loaded when it is first shown. */
const Tracing = lazyComponent(() => import('../trace/trace').then((it) => it.Tracing))
const CallFlow = lazyComponent(() => import('../flow/call-flow').then((it) => it.CallFlow))
const Logs = lazyComponent(() => import('../logs/logs').then((it) => it.Logs))
const Player = lazyComponent(() => import('../player/player').then((it) => it.Player))

/** Returns a URL that opens this call for any user at any later time. */
const addressOf = (row: RecentCall, account: string, open: string) => {
  const search = new URLSearchParams({
    date: row.attempted_at,
    ...(account ? { account } : {}),
    open,
  })
  return `${window.location.origin}${paths.recentCalls}?${search.toString()}`
}

/** Alerts are raised during a call or within a minute after it. */
const alertMarginMs = 60_000

/** Returns the URL of the account's alerts from the start of the call to its end. */
const alertsOf = ({ attempted_at, terminated_at }: RecentCall, account: string) => {
  const end = Date.parse(terminated_at ?? attempted_at) + alertMarginMs
  const date = serializeTimeRange({ from: new Date(attempted_at), to: new Date(end) })
  return `${paths.alerts}?${new URLSearchParams({ date, ...(account ? { account } : {}) }).toString()}`
}

/** Downloads the capture of the call, if there is one. */
const Capture = ({ row }: { row: RecentCall }) => {
  const { captured, own } = useCaptured(row)
  const fetching = useMutation({
    mutationFn: async () => saveFile(await own(), `callid-${row.sip_callid}.pcap`),
  })
  if (!captured) return null
  return (
    <Button icon={Download} size="sm" pending={fetching.isPending} onClick={() => fetching.mutate()}>
      <span className={css.word}>Download pcap</span>
    </Button>
  )
}

const soon = (content: ReactNode) => <Suspense fallback={null}>{content}</Suspense>

/** The details of a call, with tabs for its trace, ladder and logs if it has them. */
const Known = ({ row, deeds }: { row: RecentCall; deeds: ReactNode }) => {
  const [tab, setTab] = useState('details')
  const { captured, reason } = useCaptured(row)
  const traced = useTracePlace(row)
  const logged = useLogPlace(row)
  const details = <Details row={row} reasons={{ capture: reason, trace: traced ? undefined : trace.notTraced }} />
  if (!traced && !captured && !logged)
    return (
      <>
        <div className={css.head}>{deeds}</div>
        {details}
      </>
    )
  return (
    <Tabs
      label="Call"
      value={tab}
      onChange={setTab}
      end={deeds}
      tabs={[
        { id: 'details', label: 'Details', content: details },
        ...(traced ? [{ id: 'tracing', label: 'Tracing', content: soon(<Tracing {...traced} />) }] : []),
        ...(captured ? [{ id: 'flow', label: flow.title, content: soon(<CallFlow row={row} />) }] : []),
        ...(logged ? [{ id: 'logs', label: logs.title, content: soon(<Logs {...logged} />) }] : []),
      ]}
    />
  )
}

/** The detail panel of a call. `open` is the key of the row in the list. */
export const OpenedCall = ({ row, open = callKey(row) }: { row: RecentCall; open?: string }) => {
  const actor = useActor()
  const account = actor.scope === 'account' ? '' : (row.account_sid ?? '')
  return (
    // the style sheet limits the height of the tabs, so that the player stays in view
    <div className={css.opened} data-recorded={isRecorded(row) || undefined}>
      <Known
        row={row}
        deeds={
          <>
            <Capture row={row} />
            <ButtonLink icon={TriangleAlert} size="sm" variant="borderless" href={alertsOf(row, account)}>
              <span className={css.word}>Alerts</span>
            </ButtonLink>
            <Button
              icon={Link2}
              size="sm"
              variant="borderless"
              onClick={() => void copyText(addressOf(row, account, open), messages.linkLabel)}
            >
              <span className={css.word}>Copy link</span>
            </Button>
          </>
        }
      />
      {isRecorded(row) ? soon(<Player row={row} />) : null}
    </div>
  )
}

import { messages as captures } from '@trunkline/contract/messages/capture'
import { messages } from '@trunkline/contract/messages/recent-call'
import type { ServerCapabilities } from '@trunkline/contract/shapes/session'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../../../ui/feedback/lazy-component'
import { capabilitiesQuery, mayHaveLiveCalls } from '../../../lib/server-capabilities'
import type { ListState } from '../../../kit/list/paging'
import { IngestHint } from '../../../panels/ingest-hint'
import { TimedList } from '../../../kit/timed-list/timed-list'
import type { TimedFilter, TimedView } from '../../../kit/timed-list/use-timed-list'
import { isTimestamp, isOngoing } from '../../../lib/call-times'
import { toCallSearchText, toCallFilterText } from '../../../lib/phone-number'
import { paths } from '../../../lib/paths'
import { localValues } from '../../../lib/storage'
import { useProviderSid } from '../../../session/current-provider'
import { useActor } from '../../../session/session'
import { ButtonLink } from '../../../ui/button'
import { CallCard, columnsOf } from './call-cells'
import css from './list.module.css'
import { callKey, callsBelow } from './call-source'

const Overview = lazyComponent(() => import('../overview/overview').then((it) => it.Overview))
const OverviewButton = lazyComponent(() => import('../overview/overview').then((it) => it.OverviewButton))
const CallSegments = lazyComponent(() => import('./calls-in-progress').then((it) => it.CallSegments))
const MoreFilters = lazyComponent(() => import('./more-filters').then((it) => it.MoreFilters))
const InProgress = lazyComponent(() => import('./calls-in-progress').then((it) => it.InProgress))
const Opened = lazyComponent(() => import('../detail/call-detail-panel').then((it) => it.OpenedCall))

const filters: TimedFilter[] = [
  {
    id: 'direction',
    name: 'Direction',
    options: [
      { value: '', label: 'either' },
      { value: 'inbound', label: 'inbound only' },
      { value: 'outbound', label: 'outbound only' },
    ],
  },
  {
    id: 'status',
    name: 'Status',
    options: [
      { value: '', label: 'all' },
      { value: 'answered', label: 'answered' },
      { value: 'not-answered', label: 'not answered' },
    ],
  },
]
const trunkPick: TimedFilter = { id: 'trunk', name: 'Trunk', options: [], pattern: /./, hidden: true }
const sipPick: TimedFilter = { id: 'sip', name: 'SIP status', options: [], pattern: /^\d{1,9}$/, hidden: true }
const applicationPick: TimedFilter = {
  id: 'application',
  name: 'Application',
  options: [],
  pattern: /^[\da-f-]{36}$/i,
  hidden: true,
}

/** Returns the optional filters that the server supports. */
const addedPicks = (able: ServerCapabilities | undefined): TimedFilter[] => [
  trunkPick,
  ...(able?.callSearch ? [applicationPick] : []),
  ...(able?.overview ? [sipPick] : []),
]

const filtersOf =
  (able: ServerCapabilities | undefined) =>
  ({ text, filters: { direction, status, sip, trunk, application, order } }: ListState) => ({
    ...(direction ? { direction } : {}),
    ...(status ? { answered: String(status === 'answered') } : {}),
    ...(text ? { filter: able?.callSearch ? toCallSearchText(text) : toCallFilterText(text) } : {}),
    ...(sip ? { sip_status: sip } : {}),
    ...(trunk ? { trunk } : {}),
    ...(application ? { application_sid: application } : {}),
    ...(order === 'asc' && able?.callSearch ? { order } : {}),
  })

const recent = { date: '30', words: 'None today. These are the newest of the last 30 days.' }

/** Whether the overview is open, stored in this browser. */
const useOverviewOpen = () => {
  const [open, setOpen] = useState(localValues.overview.get() === 'open')
  const set = (next: boolean) => {
    localValues.overview.set(next ? 'open' : 'folded')
    setOpen(next)
  }
  return [open, set] as const
}

/** The finished calls of an account or of all accounts of the current provider. */
export const RecentCallList = () => {
  const actor = useActor()
  const provider = useProviderSid()
  const cache = useQueryClient()
  const { data: able } = useQuery(capabilitiesQuery)
  const added = addedPicks(able)
  const [overviewOpen, setOverviewOpen] = useOverviewOpen()
  const ofOneAccount = ({ account }: ListState) => actor.scope === 'account' || account !== ''
  const ownerOf = ({ account }: ListState) => callsBelow(actor, provider, account, cache).key
  /** Calls in progress are shown only for a period that includes the present. */
  const hasLive = (listState: ListState) =>
    mayHaveLiveCalls(able) &&
    (able?.live || ownerOf(listState)[0] === 'account') &&
    isOngoing(listState.filters.date ?? '')
  const isLive = (listState: ListState) => listState.filters.show === 'live' && hasLive(listState)
  const hasOverview = ({ listState }: TimedView) =>
    able?.overview && !isTimestamp(listState.filters.date ?? '') && !isLive(listState)
  return (
    <TimedList<RecentCall>
      kind="recent_call"
      title="Recent calls"
      noun={{ singular: 'call', plural: 'calls' }}
      source={(account) => callsBelow(actor, provider, account, cache)}
      toQueryParams={filtersOf(able)}
      filters={[...filters, ...added]}
      order={able?.callSearch === true}
      fallbackDate={recent}
      hint={<IngestHint when={messages.callsHint} />}
      actions={(view) => (
        <Suspense fallback={null}>
          {actor.scope === 'admin' && able?.captures ? (
            <ButtonLink size="sm" icon={ArrowLeftRight} href={paths.captures} title={captures.title}>
              <span className={css.captures}>{captures.title}</span>
            </ButtonLink>
          ) : null}
          {hasLive(view.listState) ? (
            <CallSegments
              of={ownerOf(view.listState)}
              live={isLive(view.listState)}
              onLive={(live) => view.addFilters({ show: live ? 'live' : '' })}
            />
          ) : null}
          {hasOverview(view) ? (
            <OverviewButton of={ownerOf(view.listState)} view={view} open={overviewOpen} onOpen={setOverviewOpen} />
          ) : null}
        </Suspense>
      )}
      tools={(view) => (
        <Suspense fallback={null}>
          <MoreFilters view={view} offered={added} />
        </Suspense>
      )}
      renderAbove={(view) =>
        hasOverview(view) && overviewOpen && !view.empty ? (
          <Suspense fallback={null}>
            <Overview of={ownerOf(view.listState)} view={view} />
          </Suspense>
        ) : null
      }
      renderInstead={(view) =>
        isLive(view.listState) ? (
          <Suspense fallback={<></>}>
            <InProgress of={ownerOf(view.listState)} />
          </Suspense>
        ) : undefined
      }
      text
      columns={(listState) => columnsOf(ofOneAccount(listState))}
      rowKey={callKey}
      alternateKey={({ call_sid }) => call_sid}
      card={(row, listState) => <CallCard row={row} oneAccount={ofOneAccount(listState)} />}
      detail={(row, { filters: { open } }) => (
        // the placeholder has the maximum height of the detail panel, so that the row scrolls to its final position at
        // once
        <Suspense fallback={<div className={css.opening} />}>
          <Opened row={row} open={open} />
        </Suspense>
      )}
    />
  )
}

const Captured = lazyComponent(() => import('../captures/captured-sip').then((it) => it.CapturedSip))

/** In this file, because each module that the route table imports enlarges the initial bundle. */
export const CapturedSip = () => (
  <Suspense fallback={null}>
    <Captured />
  </Suspense>
)

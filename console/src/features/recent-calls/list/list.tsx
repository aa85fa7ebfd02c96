import { messages as captureMessages } from '@trunkline/contract/messages/capture'
import { messages } from '@trunkline/contract/messages/recent-call'
import type { ServerCapabilities } from '@trunkline/contract/shapes/session'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { ArrowLeftRight, PanelRight } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../../../ui/feedback/lazy-component'
import { capabilitiesQuery, mayHaveLiveCalls } from '../../../lib/server-capabilities'
import type { ListSearch } from '../../../kit/list/list-state'
import type { ListState } from '../../../kit/list/paging'
import { IngestHint } from '../../../panels/ingest-hint'
import { EventList } from '../../../kit/event-list/event-list'
import type { EventFilter, EventListView, ListReplacement } from '../../../kit/event-list/use-event-list'
import type { RowAddresses } from '../../../kit/event-list/use-open-row'
import { isTimestamp, includesNow } from '../../../lib/call-times'
import { toCallSearchText, toCallFilterText } from '../../../lib/number-search'
import { paths } from '../../../lib/paths'
import { localValues } from '../../../lib/storage'
import { useProviderSid } from '../../../session/current-provider'
import { useActor } from '../../../session/session'
import { ButtonLink, IconButton } from '../../../ui/button'
import { useIsNarrow } from '../../../ui/shell/use-window-width'
import { CallCard, CallItem, createColumns, getCallDay } from './call-cells'
import css from './list.module.css'
import { callKey, callSource, createCallQuery, formatParties } from '../../../panels/calls/call-source'

const Overview = lazyComponent(() => import('../overview/overview').then((module) => module.Overview))
const OverviewButton = lazyComponent(() => import('../overview/overview').then((module) => module.OverviewButton))
const CallSegments = lazyComponent(() => import('./calls-in-progress').then((module) => module.CallSegments))
const MoreFilters = lazyComponent(() => import('./more-filters').then((module) => module.MoreFilters))
const CallCount = lazyComponent(() => import('./calls-in-progress').then((module) => module.CallCount))
const CallsInProgress = lazyComponent(() => import('./calls-in-progress').then((module) => module.CallsInProgress))
const LazyCallDetailPanel = lazyComponent(() =>
  import('../detail/call-detail-panel').then((module) => module.CallDetailPanel),
)

const LiveCallView = lazyComponent(() => import('../detail/live-call-view').then((module) => module.LiveCallView))
const CallView = lazyComponent(() => import('../detail/call-view').then((module) => module.CallView))

const filters: EventFilter[] = [
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
const trunkFilter: EventFilter = { id: 'trunk', name: 'Trunk', options: [], pattern: /./, isOutsideToolbar: true }
const sipStatusFilter: EventFilter = {
  id: 'sip',
  name: 'SIP status',
  options: [],
  pattern: /^\d{1,9}$/,
  isOutsideToolbar: true,
}
const applicationFilter: EventFilter = {
  id: 'application',
  name: 'Application',
  options: [],
  pattern: /^[\da-f-]{36}$/i,
  isOutsideToolbar: true,
}

/** Set by links only. Users search a number with the text filter, which also finds a part of it. */
const numberFilter: EventFilter = {
  id: 'number',
  name: 'Number',
  options: [{ value: '', label: 'any' }],
  pattern: /./,
}

/** Does the URL contain a filter that a server may lack? */
const useHasOptionalFilter = (): boolean => {
  const search: ListSearch = useSearch({ strict: false })
  return [applicationFilter, sipStatusFilter, numberFilter].some(({ id }) => search[id])
}

/** Returns the optional filters that the server supports and that users can add. */
const getOptionalFilters = (capabilities: ServerCapabilities | undefined): EventFilter[] => [
  trunkFilter,
  ...(capabilities?.callSearch ? [applicationFilter] : []),
  ...(capabilities?.overview ? [sipStatusFilter] : []),
]

/** The filters that the API accepts unchanged, and their parameters. */
const filterParams = [
  ['direction', 'direction'],
  ['sip', 'sip_status'],
  ['trunk', 'trunk'],
  ['application', 'application_sid'],
  ['number', 'number'],
] as const

const createFilterParams =
  (capabilities: ServerCapabilities | undefined) =>
  ({ text, filters }: ListState): Record<string, string> => ({
    ...Object.fromEntries(filterParams.flatMap(([id, name]) => (filters[id] ? [[name, filters[id]]] : []))),
    ...(filters.status ? { answered: String(filters.status === 'answered') } : {}),
    ...(text ? { filter: capabilities?.callSearch ? toCallSearchText(text) : toCallFilterText(text) } : {}),
    ...(filters.order === 'asc' && capabilities?.callSearch ? { order: filters.order } : {}),
  })

const recentFallback = { date: '30', message: 'None today. These are the newest of the last 30 days.' }

/** Whether the overview is open, stored in this browser. */
const useOverviewOpen = () => {
  const [isOpen, setIsOpen] = useState(localValues.overview.get() === 'open')
  const setOpen = (nextOpen: boolean) => {
    localValues.overview.set(nextOpen ? 'open' : 'folded')
    setIsOpen(nextOpen)
  }
  return [isOpen, setOpen] as const
}

/**
 * Where calls open: beside the list, or in a narrow window in its place. Below their rows if this browser stores that
 * choice.
 */
const usePlaceOfCalls = () => {
  const [place, setPlace] = useState(localValues.callPlace.get())
  const onChange = (opensBeside: boolean) => {
    const nextPlace = opensBeside ? 'beside' : 'inside'
    localValues.callPlace.set(nextPlace)
    setPlace(nextPlace)
  }
  return { opensBeside: place !== 'inside', onChange }
}

const PlaceSwitch = ({ opensBeside, onChange }: ReturnType<typeof usePlaceOfCalls>) => (
  <IconButton
    icon={PanelRight}
    iconSize={14}
    label={useIsNarrow() ? 'Open calls in place of the list' : 'Open calls beside the list'}
    aria-pressed={opensBeside}
    onClick={() => onChange(!opensBeside)}
  />
)

const createAddresses = (
  opensBeside: boolean,
  isOneAccount: (listState: ListState) => boolean,
): RowAddresses<RecentCall> => ({
  listPath: paths.recentCalls,
  createPath: paths.recentCall,
  createQuery: createCallQuery,
  getTitle: formatParties,
  opensBeside,
  renderItem: (row, listState) => <CallItem row={row} hasOneAccount={isOneAccount(listState)} />,
  getGroup: (row) => getCallDay(row),
  renderBeside: (open) => (
    <Suspense fallback={<div />}>
      <CallView open={open} />
    </Suspense>
  ),
})

/** Returns functions that determine which calls a list state selects, and which views the server offers for them. */
const useCallScope = (capabilities: ServerCapabilities | undefined) => {
  const actor = useActor()
  const provider = useProviderSid()
  const queryClient = useQueryClient()
  const createSource = (account: string) => callSource(actor, provider, account, queryClient)
  const getScope = ({ account }: ListState) => createSource(account).key
  /** Calls in progress are shown only for a period that includes the present. */
  const hasLive = (listState: ListState) =>
    mayHaveLiveCalls(capabilities) &&
    (capabilities?.live || getScope(listState)[0] === 'account') &&
    includesNow(listState.filters.date ?? '')
  const isLive = (listState: ListState) => listState.filters.show === 'live' && hasLive(listState)
  return {
    createSource,
    getScope,
    hasLive,
    isLive,
    isOneAccount: ({ account }: ListState) => actor.scope === 'account' || account !== '',
    hasOverview: ({ listState }: EventListView) =>
      capabilities?.overview && !isTimestamp(listState.filters.date ?? '') && !isLive(listState),
  }
}

/** The calls in progress, in place of the ended ones. */
const createLiveView = (
  isLive: (listState: ListState) => boolean,
  getScope: (listState: ListState) => readonly unknown[],
): ListReplacement => ({
  isShown: isLive,
  filterIds: ['direction'],
  renderCount: ({ listState }) => (
    <Suspense fallback={null}>
      <CallCount scope={getScope(listState)} listState={listState} />
    </Suspense>
  ),
  render: ({ listState }, openSid) => (
    <Suspense fallback={<></>}>
      {openSid === undefined ? (
        <CallsInProgress scope={getScope(listState)} listState={listState} />
      ) : (
        <LiveCallView scope={getScope(listState)} listState={listState} call_sid={openSid} />
      )}
    </Suspense>
  ),
  renderBeside: ({ listState }, openSid) => (
    <Suspense fallback={<div />}>
      <LiveCallView scope={getScope(listState)} listState={listState} call_sid={openSid} />
    </Suspense>
  ),
})

const CapturesLink = () => (
  <ButtonLink size="sm" icon={ArrowLeftRight} href={paths.captures} title={captureMessages.title}>
    <span className={css.captures}>{captureMessages.title}</span>
  </ButtonLink>
)

/** The finished calls of an account or of all accounts of the current provider. */
export const RecentCallList = () => {
  const actor = useActor()
  const { data: capabilities, isPending } = useQuery(capabilitiesQuery)
  const hasOptionalFilter = useHasOptionalFilter()
  const { createSource, getScope, hasLive, isLive, isOneAccount, hasOverview } = useCallScope(capabilities)
  const optionalFilters = getOptionalFilters(capabilities)
  const [isOverviewOpen, setOverviewOpen] = useOverviewOpen()
  const placeOfCalls = usePlaceOfCalls()
  const { opensBeside } = placeOfCalls
  return (
    <EventList<RecentCall>
      kind="recent_call"
      title="Recent calls"
      noun={{ singular: 'call', plural: 'calls' }}
      source={createSource}
      toQueryParams={createFilterParams(capabilities)}
      // without the filter, the first request would find other calls
      isEnabled={!isPending || !hasOptionalFilter}
      filters={[...filters, ...(capabilities?.recordCounts ? [numberFilter] : []), ...optionalFilters]}
      isReversible={capabilities?.callSearch === true}
      fallbackDate={recentFallback}
      hint={<IngestHint text={messages.callsHint} />}
      renderActions={(view) => (
        <Suspense fallback={null}>
          {actor.scope === 'admin' && capabilities?.captures ? <CapturesLink /> : null}
          {hasLive(view.listState) ? (
            <CallSegments
              scope={getScope(view.listState)}
              listState={view.listState}
              isLive={isLive(view.listState)}
              onChange={(live) => view.addFilters({ show: live ? 'live' : '' })}
            />
          ) : null}
          {hasOverview(view) ? (
            <OverviewButton
              scope={getScope(view.listState)}
              view={view}
              isOpen={isOverviewOpen}
              onOpen={setOverviewOpen}
            />
          ) : null}
          {!isLive(view.listState) ? <PlaceSwitch {...placeOfCalls} /> : null}
        </Suspense>
      )}
      renderFilters={(view) =>
        isLive(view.listState) ? null : (
          <Suspense fallback={null}>
            <MoreFilters view={view} availableFilters={optionalFilters} />
          </Suspense>
        )
      }
      renderAbove={(view) =>
        hasOverview(view) && isOverviewOpen && !view.isEmpty ? (
          <Suspense fallback={null}>
            <Overview scope={getScope(view.listState)} view={view} />
          </Suspense>
        ) : null
      }
      replacement={createLiveView(isLive, getScope)}
      hasTextFilter
      columns={(listState) => createColumns(isOneAccount(listState))}
      rowKey={callKey}
      alternateKey={({ call_sid }) => call_sid}
      renderCard={(row, listState) => <CallCard row={row} hasOneAccount={isOneAccount(listState)} />}
      addresses={createAddresses(opensBeside, isOneAccount)}
      renderDetail={(row) => (
        // the placeholder has the maximum height of the detail panel, so that the row scrolls to its final position at
        // once
        <Suspense fallback={<div className={css.detailPlaceholder} />}>
          <LazyCallDetailPanel row={row} />
        </Suspense>
      )}
    />
  )
}

const LazyCapturedSip = lazyComponent(() => import('../captures/captured-sip').then((module) => module.CapturedSip))

/** In this file, because each module that the route table imports enlarges the initial bundle. */
export const CapturedSip = () => (
  <Suspense fallback={null}>
    <LazyCapturedSip />
  </Suspense>
)

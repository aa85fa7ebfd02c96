import { useQuery } from '@tanstack/react-query'
import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import type { EventListView } from '../../../kit/event-list/use-event-list'
import { formatDuration, formatTimestamp, formatTimeRange, serializeTimeRange } from '../../../lib/call-times'
import { formatPercent } from '../../../lib/percent'
import { Problem, getErrorMessage } from '../../../lib/problem'
import { capabilitiesQuery } from '../../../lib/server-capabilities'
import { localValues } from '../../../lib/storage'
import { Bars } from '../../../ui/chart/bars'
import { FailedState } from '../../../ui/feedback/failed-state'
import { useIsNarrow } from '../../../ui/shell/use-window-width'
import {
  createBars,
  findBusiestHour,
  createDayMarks,
  createHourMarks,
  dateOfBar,
  isByHour,
  getChartRange,
  type ChartRange,
} from '../../../panels/calls/overview-bars'
import { formatCounted } from '../../../ui/format-count'
import { Breakdown } from './overview-breakdown'
import css from './overview.module.css'
import { createOverviewQuery, type Grouping } from '../../../panels/calls/overview-query'

interface OverviewProps {
  /** Scope of the calls, as in the key of the list: the level and its SID. */
  scope: readonly unknown[]
  view: EventListView
}

/** Refresh interval in milliseconds while the list is live. */
const livePollMs = 10_000

/** A refused request would be refused again; after a network or server error a retry may succeed. */
const isRefused = (error: unknown) => error instanceof Problem && error.status >= 400 && error.status < 500

const formatDay = (date: Date) => formatTimestamp(date.toISOString()).slice(0, 10)
/** Shows one decimal below 100. */
const formatAmount = (amount: number) => (amount < 100 ? amount.toFixed(1) : String(Math.round(amount)))
const formatClock = (date: Date) => formatTimestamp(date.toISOString()).slice(11, 16)

interface Figure {
  name: string
  value: string | undefined
  /** Tooltip that explains the figure. */
  help: string
  /** Filters that show the calls of the figure; undefined if there are none. */
  filters: Record<string, string> | undefined
}

const createFigures = (
  { calls, answered, duration, post_dial_delay, hours }: CallOverview,
  range: ChartRange,
): Figure[] => {
  const busiest = findBusiestHour(hours, range)
  const answeredFilter = answered > 0 ? { status: 'answered' } : undefined
  return [
    {
      name: 'Answered',
      value: calls > 0 ? formatPercent(answered / calls) : undefined,
      help: 'Share of calls that were answered',
      filters: answeredFilter,
    },
    {
      name: 'Average duration',
      value: duration === null ? undefined : formatDuration(duration),
      help: 'Of answered calls',
      filters: answeredFilter,
    },
    {
      name: 'Time to answer',
      value: post_dial_delay === null ? undefined : `${formatAmount(post_dial_delay / 1000)} s`,
      help: 'From the call attempt to the answer, on average',
      filters: answeredFilter,
    },
    {
      name: 'Concurrent calls in the busiest hour',
      value: busiest && formatAmount(busiest.averageConcurrentCalls),
      help: busiest ? `On average, ${formatTimeRange(busiest)}` : 'On average',
      filters: busiest && { date: serializeTimeRange(busiest) },
    },
  ]
}

const Figures = ({ figures, addFilters }: { figures: Figure[]; addFilters: EventListView['addFilters'] }) => (
  <div className={css.figures}>
    {figures.map(({ name, value, help, filters }) =>
      filters === undefined ? (
        <p key={name} title={help}>
          {name} <b>{value ?? '–'}</b>
        </p>
      ) : (
        <button key={name} type="button" title={help} onClick={() => addFilters(filters)}>
          {name} <b>{value}</b>
        </button>
      ),
    )}
  </div>
)

const Chart = ({
  data,
  range,
  addFilters,
}: {
  data: CallOverview
  range: ChartRange
  addFilters: EventListView['addFilters']
}) => {
  const isHourly = isByHour(range)
  const bars = createBars(data.hours, range)
  const [first, last] = [bars[0], bars.at(-1)]
  return (
    <Bars
      label={isHourly ? 'Calls per hour' : 'Calls per day'}
      segmentLabels={['answered', 'not answered']}
      bars={bars.map(({ from, to, calls, answered }) => ({
        key: from.toISOString(),
        description: `${isHourly ? formatTimeRange({ from, to }) : formatDay(dateOfBar({ from, to }))}: ${formatCounted(calls, 'call')}, ${answered.toLocaleString('en-US')} answered`,
        lowerValue: answered,
        upperValue: calls - answered,
        onPress: () => addFilters({ date: serializeTimeRange({ from, to }) }),
      }))}
      marks={isHourly ? createHourMarks(bars) : createDayMarks(bars)}
      endLabels={[
        first ? (isHourly ? formatClock(range.from) : formatDay(dateOfBar(first))) : '',
        last ? (isHourly ? formatClock(last.to) : formatDay(dateOfBar(last))) : '',
      ]}
    />
  )
}

interface OverviewOptions {
  by?: Grouping
  enabled?: boolean
}

const useOverview = (
  { scope, view: { listState, queryParams, isLive } }: OverviewProps,
  { by = 'failures', enabled = true }: OverviewOptions = {},
) => {
  const { date = '' } = listState.filters
  return useQuery({
    ...createOverviewQuery({ scope, date, filters: queryParams, by }),
    enabled,
    refetchInterval: ({ state }) => isLive && !isRefused(state.error) && livePollMs,
    placeholderData: (previousData) => previousData,
  })
}

/** Returns the available groupings. The calls of one account are not grouped by account. */
const useGroupings = ([level]: readonly unknown[]): readonly Grouping[] => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  if (!capabilities?.overviewGroups) return ['failures']
  return level === 'account' ? ['failures', 'trunk'] : ['failures', 'trunk', 'account']
}

/** The selected grouping, stored in this browser. */
const useBreakdown = (groupings: readonly Grouping[]) => {
  const [stored, setStored] = useState(localValues.overviewBreakdown.get())
  const selectGrouping = (next: Grouping) => {
    localValues.overviewBreakdown.set(next)
    setStored(next)
  }
  return [groupings.find((grouping) => grouping === stored) ?? 'failures', selectGrouping] as const
}

/** The chart, the figures and the breakdown. */
export const Overview = (props: OverviewProps) => {
  const {
    view: { listState, addFilters },
  } = props
  const groupings = useGroupings(props.scope)
  const [grouping, setGrouping] = useBreakdown(groupings)
  const { data, error, dataUpdatedAt, refetch, isFetching } = useOverview(props, { by: grouping })
  const range = getChartRange(listState.filters.date ?? '', dataUpdatedAt || Date.now())
  return (
    <section id={overviewId} className={css.overview} aria-label="Overview">
      {error && !data ? (
        <FailedState
          message={getErrorMessage(error)}
          text="The overview could not be loaded."
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      ) : (
        <div className={css.content} aria-busy={!data}>
          {data ? (
            <>
              <Chart data={data} range={range} addFilters={addFilters} />
              <Figures figures={createFigures(data, range)} addFilters={addFilters} />
              <Breakdown
                data={data}
                grouping={grouping}
                availableGroupings={groupings}
                onChange={setGrouping}
                // until the new data arrives, the old data has another grouping
                isPending={data.by !== grouping}
                addFilters={addFilters}
              />
            </>
          ) : null}
        </div>
      )}
    </section>
  )
}

/** Returns the main figures, the most important first: '80.3% answered', '487: 452', '1m 50s average', '2.4 s to answer'. */
const formatMainFigures = ({ calls, answered, duration, post_dial_delay, failures }: CallOverview): string[] => {
  if (calls === 0) return []
  const [topFailure] = failures.filter(({ sip_status }) => sip_status > 0)
  return [
    `${formatPercent(answered / calls)} answered`,
    topFailure ? `${topFailure.sip_status}: ${topFailure.calls.toLocaleString('en-US')}` : '',
    duration === null ? '' : `${formatDuration(duration)} average`,
    post_dial_delay === null ? '' : `${formatAmount(post_dial_delay / 1000)} s to answer`,
  ].filter(Boolean)
}

const overviewId = 'call-overview'

/** Opens and closes the overview; while it is closed, a line beside the button shows the main figures. */
export const OverviewButton = ({
  isOpen,
  onOpen,
  ...props
}: OverviewProps & { isOpen: boolean; onOpen: (isOpen: boolean) => void }) => {
  const { data } = useOverview(props, { enabled: !isOpen })
  const isNarrow = useIsNarrow()
  return (
    <>
      {data && !isOpen && !isNarrow ? (
        <span className={css.summary}>
          {formatMainFigures(data).map((text) => (
            <span key={text}>{text}</span>
          ))}
        </span>
      ) : null}
      <button
        type="button"
        className={css.toggle}
        aria-expanded={isOpen}
        aria-controls={isOpen ? overviewId : undefined}
        onClick={() => onOpen(!isOpen)}
      >
        <ChartColumn size={14} strokeWidth={1.75} aria-hidden="true" />
        <span className={css.toggleLabel}>Overview</span>
      </button>
    </>
  )
}

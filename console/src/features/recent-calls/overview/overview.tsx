import { useQuery } from '@tanstack/react-query'
import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import type { TimedView } from '../../../kit/timed-list/use-timed-list'
import {
  formatDuration,
  formatTimestamp,
  formatTimeRange,
  serializeTimeRange,
  toTimeQuery,
} from '../../../lib/call-times'
import { Problem, getErrorMessage } from '../../../lib/problem'
import { capabilitiesQuery } from '../../../lib/server-capabilities'
import { localValues } from '../../../lib/storage'
import { Bars } from '../../../ui/chart/bars'
import { FailedState } from '../../../ui/feedback/failed-state'
import { useIsNarrow } from '../../../ui/shell/use-is-narrow'
import { barsOf, busiestOf, dayMarks, dayOf, isByHour, spanOf, type CallBar, type Span } from './overview-bars'
import { Breakdown, type BreakdownBy } from './overview-breakdown'
import css from './overview.module.css'
import { overviewBelow } from '../list/call-source'

interface OverviewProps {
  /** Scope of the calls, as in the key of the list: the level and its SID. */
  of: readonly unknown[]
  view: TimedView
}

/** Refresh interval in milliseconds while the list is live. */
const liveEvery = 10_000

/** A refused request would be refused again; after a network or server error a retry may succeed. */
const isRefused = (error: unknown) => error instanceof Problem && error.status >= 400 && error.status < 500

const sayCalls = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'call' : 'calls'}`
const sayDay = (moment: Date) => formatTimestamp(moment.toISOString()).slice(0, 10)
/** Shows one decimal below 100. */
const sayAmount = (amount: number) => (amount < 100 ? amount.toFixed(1) : String(Math.round(amount)))
const sayClock = (moment: Date) => formatTimestamp(moment.toISOString()).slice(11, 16)

interface Figure {
  name: string
  value: string | undefined
  /** Tooltip that explains the figure. */
  help: string
  /** Filters that show the calls of the figure; undefined if there are none. */
  filters: Record<string, string> | undefined
}

const figuresOf = ({ calls, answered, duration, post_dial_delay, hours }: CallOverview, span: Span): Figure[] => {
  const busiest = busiestOf(hours, span)
  const ofAnswered = answered > 0 ? { status: 'answered' } : undefined
  return [
    {
      name: 'Answer-seizure ratio',
      value: calls > 0 ? `${sayAmount((answered / calls) * 100)} %` : undefined,
      help: 'Answered calls of all calls',
      filters: ofAnswered,
    },
    {
      name: 'Average duration',
      value: duration === null ? undefined : formatDuration(duration),
      help: 'Of answered calls',
      filters: ofAnswered,
    },
    {
      name: 'Post-dial delay',
      value: post_dial_delay === null ? undefined : `${sayAmount(post_dial_delay / 1000)} s`,
      help: 'From the attempt to the answer, on average',
      filters: ofAnswered,
    },
    {
      name: 'Average concurrent calls',
      value: busiest && sayAmount(busiest.concurrent),
      help: busiest ? `On average in the busiest hour, ${formatTimeRange(busiest)}` : 'On average in the busiest hour',
      filters: busiest && { date: serializeTimeRange(busiest) },
    },
  ]
}

const Figures = ({ figures, narrow }: { figures: Figure[]; narrow: TimedView['addFilters'] }) => (
  <div className={css.figures}>
    {figures.map(({ name, value, help, filters }) =>
      filters === undefined ? (
        <p key={name} title={help}>
          {name} <b>{value ?? '–'}</b>
        </p>
      ) : (
        <button key={name} type="button" title={help} onClick={() => narrow(filters)}>
          {name} <b>{value}</b>
        </button>
      ),
    )}
  </div>
)

/**
 * Labels every third hour of the day, or every sixth if there are many bars. Omits labels near the ends, which have
 * their own.
 */
const hourMarks = (bars: readonly CallBar[]) => {
  const step = bars.length > 26 ? 6 : 3
  return bars.flatMap(({ from }, at) => {
    const place = at / bars.length
    const isLabelled = from.getMinutes() === 0 && from.getHours() % step === 0
    return isLabelled && place > 0.06 && place < 0.92 ? { at: place, text: sayClock(from) } : []
  })
}

const Chart = ({ data, span, narrow }: { data: CallOverview; span: Span; narrow: TimedView['addFilters'] }) => {
  const byHour = isByHour(span)
  const bars = barsOf(data.hours, span)
  const [first, last] = [bars[0], bars.at(-1)]
  return (
    <Bars
      label={byHour ? 'Calls per hour' : 'Calls per day'}
      parts={['answered', 'not answered']}
      bars={bars.map(({ from, to, calls, answered }) => ({
        key: from.toISOString(),
        words: `${byHour ? formatTimeRange({ from, to }) : sayDay(dayOf({ from, to }))}: ${sayCalls(calls)}, ${answered.toLocaleString('en-US')} answered`,
        part: answered,
        rest: calls - answered,
        onPress: () => narrow({ date: serializeTimeRange({ from, to }) }),
      }))}
      marks={byHour ? hourMarks(bars) : dayMarks(bars)}
      ends={[
        first ? (byHour ? sayClock(span.from) : sayDay(dayOf(first))) : '',
        last ? (byHour ? sayClock(last.to) : sayDay(dayOf(last))) : '',
      ]}
    />
  )
}

interface OverviewOptions {
  by?: BreakdownBy
  enabled?: boolean
}

const useOverview = (
  { of, view: { listState, queryParams, live } }: OverviewProps,
  { by = 'failures', enabled = true }: OverviewOptions = {},
) => {
  const { date = '' } = listState.filters
  const groupBy = by === 'failures' ? {} : { by }
  return useQuery({
    queryKey: ['recent_call', 'overview', ...of, { date, filters: queryParams, ...groupBy }],
    queryFn: async ({ signal }) => ({
      ...(await overviewBelow(of, { ...toTimeQuery(date), ...queryParams, ...groupBy }, signal)),
      by,
    }),
    enabled,
    refetchInterval: ({ state }) => live && !isRefused(state.error) && liveEvery,
    meta: { suppressErrorToast: true },
    placeholderData: (before) => before,
  })
}

/** Returns the available groupings. The calls of one account are not grouped by account. */
const useOffered = ([below]: readonly unknown[]): readonly BreakdownBy[] => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  if (!capabilities?.overviewGroups) return ['failures']
  return below === 'account' ? ['failures', 'trunk'] : ['failures', 'trunk', 'account']
}

/** The selected grouping, stored in this browser. */
const useBreakdown = (offered: readonly BreakdownBy[]) => {
  const [by, setBy] = useState(localValues.overviewBreakdown.get())
  const choose = (next: BreakdownBy) => {
    localValues.overviewBreakdown.set(next)
    setBy(next)
  }
  return [offered.find((each) => each === by) ?? 'failures', choose] as const
}

/** The chart, the figures and the breakdown. */
export const Overview = (props: OverviewProps) => {
  const {
    view: { listState, addFilters },
  } = props
  const offered = useOffered(props.of)
  const [by, setBy] = useBreakdown(offered)
  const { data, error, dataUpdatedAt, refetch, isFetching } = useOverview(props, { by })
  const span = spanOf(listState.filters.date ?? '', dataUpdatedAt || Date.now())
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
        <div className={css.parts} aria-busy={!data}>
          {data ? (
            <>
              <Chart data={data} span={span} narrow={addFilters} />
              <Figures figures={figuresOf(data, span)} narrow={addFilters} />
              <Breakdown
                data={data}
                by={by}
                offered={offered}
                onChange={setBy}
                // until the new data arrives, the old data has another grouping
                pending={data.by !== by}
                narrow={addFilters}
              />
            </>
          ) : null}
        </div>
      )}
    </section>
  )
}

/** Returns the main figures in one line: '80.3 % answered · 1m 50s · 2.4 s PDD · 487: 452'. */
const lineOf = ({ calls, answered, duration, post_dial_delay, failures }: CallOverview): string => {
  if (calls === 0) return ''
  const [worst] = failures.filter(({ sip_status }) => sip_status > 0)
  return [
    `${sayAmount((answered / calls) * 100)} % answered`,
    duration === null ? '' : formatDuration(duration),
    post_dial_delay === null ? '' : `${sayAmount(post_dial_delay / 1000)} s PDD`,
    worst ? `${worst.sip_status}: ${worst.calls.toLocaleString('en-US')}` : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

const overviewId = 'call-overview'

/** Opens and closes the overview; while it is closed, a line beside the button shows the main figures. */
export const OverviewButton = ({
  open,
  onOpen,
  ...props
}: OverviewProps & { open: boolean; onOpen: (open: boolean) => void }) => {
  const { data } = useOverview(props, { enabled: !open })
  const narrow = useIsNarrow()
  return (
    <>
      {data && !open && !narrow ? <span className={css.line}>{lineOf(data)}</span> : null}
      <button
        type="button"
        className={css.toggle}
        aria-expanded={open}
        aria-controls={open ? overviewId : undefined}
        onClick={() => onOpen(!open)}
      >
        <ChartColumn size={14} strokeWidth={1.75} aria-hidden="true" />
        <span className={css.toggleWord}>Overview</span>
      </button>
    </>
  )
}

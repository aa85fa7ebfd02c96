import { useQuery } from '@tanstack/react-query'
import type { CallOverview, FailingCarrier } from '@trunkline/contract/shapes/recent-call'
import type { ReactNode } from 'react'
import { useQueryFailure } from '../../kit/record/query-failure'
import { useOpenPath } from '../../kit/record/use-open-path'
import { formatTimestamp, serializeTimeRange, startOfDay, type TimeRange } from '../../lib/call-times'
import { getErrorMessage } from '../../lib/problem'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { createBars } from '../../panels/calls/overview-bars'
import { createCallsPath, type RecordCalls } from '../../panels/calls/record-calls'
import { LineChart, type LineChartPoint } from '../../ui/chart/line-chart'
import { PanelFailure } from '../../ui/record/panel'
import { createFailingCarriersQuery } from '../../panels/calls/failing-carriers-query'
import { formatCount, formatCounted } from '../../ui/format-count'
import { compareAnsweredShares, compareCallCounts, compareDelays, type CallFigure } from './call-figures'
import css from './calls-panel.module.css'
import {
  createDayLastWeekQuery,
  createTodayQuery,
  createUsageQuery,
  getDayLastWeek,
  type HomeScope,
  type TodayAndLastWeek,
} from './home-queries'

interface FigureProps {
  label: string
  value: string
  href: string
  title?: string
  children?: ReactNode
}

const Figure = ({ label, value, href, title, children }: FigureProps) => (
  <li>
    <a className={css.value} href={href} title={title}>
      <span>{label}</span> {value}
    </a>
    <p>{children}</p>
  </li>
)

/** The change since a week ago. The old value links to the calls of that time. */
const Comparison = ({ figure, suffix, href }: { figure: CallFigure; suffix?: string; href: string }) => {
  const { change, before, isWorse } = figure
  if (before === undefined) return 'No figure for this time a week ago'
  return (
    <>
      {change ? <b data-worse={isWorse || undefined}>{change}</b> : null} {change ? '· ' : ''}
      <a href={href}>{suffix ? `${before} ${suffix}` : `was ${before}`}</a>
    </>
  )
}

/** The number of calls in progress. Other servers than ours, and servers without a voice platform, do not know it. */
const CallsNow = ({ scope, calls }: { scope: HomeScope; calls: RecordCalls }) => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const hasLiveCalls = capabilities?.live === true
  const usage = useQuery({ ...createUsageQuery(scope), enabled: hasLiveCalls })
  const { data } = usage
  const error = useQueryFailure(usage)
  if (!hasLiveCalls) return null
  return (
    <Figure
      label="Calls now"
      value={data ? formatCount(data.calls) : '–'}
      href={createCallsPath(calls, { show: 'live' })}
    >
      {data ? `${formatCount(data.inbound)} inbound · ${formatCount(data.outbound)} outbound` : null}
      {!data && error ? getErrorMessage(error) : null}
    </Figure>
  )
}

const Figures = ({ data, calls, scope }: { data: TodayAndLastWeek; calls: RecordCalls; scope: HomeScope }) => {
  const date = serializeTimeRange(data.lastWeekRange)
  return (
    <ul className={css.figures}>
      <CallsNow scope={scope} calls={calls} />
      <Figure label="Calls today" value={formatCount(data.today.calls)} href={createCallsPath(calls, {})}>
        <Comparison figure={compareCallCounts(data)} suffix="a week ago" href={createCallsPath(calls, { date })} />
      </Figure>
      <Figure
        label="Answered"
        value={compareAnsweredShares(data).value}
        href={createCallsPath(calls, { status: 'answered' })}
      >
        <Comparison figure={compareAnsweredShares(data)} href={createCallsPath(calls, { date, status: 'answered' })} />
      </Figure>
      <Figure
        label="Time to answer, p95"
        value={compareDelays(data).value}
        href={createCallsPath(calls, { status: 'answered' })}
        title="Post-dial delay: 95% of the answered calls were answered at least this fast after the call attempt"
      >
        <Comparison figure={compareDelays(data)} href={createCallsPath(calls, { date, status: 'answered' })} />
      </Figure>
    </ul>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' })
const axisLabels = ['00:00', '06:00', '12:00', '18:00', '24:00']

interface ChartData {
  today: CallOverview
  now: Date
  /** Undefined until it has loaded. */
  dayLastWeek: CallOverview | undefined
  startOfToday: Date
}

/** A point for each hour of today. The running hour has no value yet: it would look like a fall. */
export const createHourPoints = (
  { today, now, dayLastWeek, startOfToday }: ChartData,
  openCalls: (range: TimeRange) => void,
): LineChartPoint[] => {
  const [from, to] = [startOfToday, startOfDay(startOfToday, -1)]
  const dayMs = to.getTime() - from.getTime()
  const lastWeekRange = getDayLastWeek(startOfToday)
  const barsLastWeek = dayLastWeek && createBars(dayLastWeek.hours, { ...lastWeekRange, isOpenEnded: false })
  // the clock of a voice server may be ahead of the browser's
  const barsToday = createBars(today.hours, { from, to, isOpenEnded: false }).filter((bar) => bar.from < to)
  return barsToday.map((bar, index) => {
    const value = bar.to <= now ? bar.calls : undefined
    const comparedValue = barsLastWeek?.[index]?.calls
    const isFuture = bar.from > now
    const openedBar = isFuture ? barsLastWeek?.[index] : bar
    const texts = [
      ...(isFuture
        ? []
        : [bar.to <= now ? formatCounted(bar.calls, 'call') : `${formatCounted(bar.calls, 'call')} so far`]),
      ...(comparedValue === undefined ? [] : [`${formatCounted(comparedValue, 'call')} a week ago`]),
    ]
    return {
      key: bar.from.toISOString(),
      description: `${formatTimestamp(bar.from.toISOString()).slice(11, 16)}: ${texts.join(', ')}`,
      span: { from: (bar.from.getTime() - from.getTime()) / dayMs, to: (bar.to.getTime() - from.getTime()) / dayMs },
      value,
      comparedValue,
      onPress: () => {
        if (openedBar) openCalls(openedBar)
      },
    }
  })
}

/** The first failure of today of a carrier that still fails. */
const createPin = (carriers: readonly FailingCarrier[], startOfToday: Date) => {
  const [first] = carriers
    .flatMap(({ name, calls }) => (calls ? [{ name, ...calls, at: Date.parse(calls.since) }] : []))
    .filter(({ at }) => at >= startOfToday.getTime())
    .toSorted((a, b) => a.at - b.at)
  if (!first) return undefined
  const dayMs = startOfDay(startOfToday, -1).getTime() - startOfToday.getTime()
  const status = first.failures[0]?.sip_status
  return {
    positionFraction: (first.at - startOfToday.getTime()) / dayMs,
    text: status ? `${first.name} ${status}` : first.name,
  }
}

const Chart = ({ data, calls, scope, startOfToday }: ContentProps) => {
  const openPath = useOpenPath()
  const { data: dayLastWeek } = useQuery(createDayLastWeekQuery(scope, startOfToday))
  const { data: carriers = [] } = useQuery(createFailingCarriersQuery(scope))
  return (
    <div className={css.chart}>
      <LineChart
        label="Calls per hour"
        lineLabels={['Today', dayFormat.format(data.lastWeekRange.from)]}
        points={createHourPoints({ today: data.today, now: data.now, dayLastWeek, startOfToday }, (range) =>
          openPath(createCallsPath(calls, { date: serializeTimeRange(range) })),
        )}
        axisLabels={axisLabels}
        pin={createPin(carriers, startOfToday)}
      />
    </div>
  )
}

interface ContentProps {
  data: TodayAndLastWeek
  calls: RecordCalls
  scope: HomeScope
  startOfToday: Date
}

/** The shape of the panel while it loads: a chart and four figures. */
export const CallsSkeleton = () => (
  <div className={css.skeleton} aria-hidden="true">
    <div className={css.chart}>
      <span />
    </div>
    <ul className={css.figures}>
      {Array.from({ length: 4 }, (_, index) => (
        <li key={index}>
          <span className={css.value} />
          <p />
        </li>
      ))}
    </ul>
  </div>
)

/** The calls of today against those of the same weekday last week: a line for each, and figures. */
export const CallsPanel = ({ scope, startOfToday }: { scope: HomeScope; startOfToday: Date }) => {
  const today = useQuery(createTodayQuery(scope, startOfToday))
  const { data, isFetching, refetch } = today
  const error = useQueryFailure(today)
  const calls: RecordCalls = { scope, filters: {}, search: {} }
  if (!data && !error) return <CallsSkeleton />
  return (
    <section className={css.panel} aria-label="Calls today" data-loaded={data !== undefined || undefined}>
      {data ? (
        <>
          <Chart data={data} calls={calls} scope={scope} startOfToday={startOfToday} />
          <Figures data={data} calls={calls} scope={scope} />
        </>
      ) : (
        <PanelFailure message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
      )}
    </section>
  )
}

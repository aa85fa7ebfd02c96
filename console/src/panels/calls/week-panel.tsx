import { useQuery } from '@tanstack/react-query'
import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { QueryPanel } from '../../kit/record/query-panel'
import { useOpenPath } from '../../kit/record/use-open-path'
import { formatTimestamp, serializeOpenRange, serializeTimeRange } from '../../lib/call-times'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { Bars, BarsLegend } from '../../ui/chart/bars'
import type { PanelProps } from '../../ui/record/panel'
import { formatCount } from '../../ui/format-count'
import { createBars, dateOfBar, getChartRange, type CallBar } from './overview-bars'
import { createOverviewQuery } from './overview-query'
import { createCallsPath, type RecordCalls } from './record-calls'
import { formatPercent } from '../../lib/percent'
import css from './week-panel.module.css'

const days = 7

/** The date filter of today and the six days before. It stays the same all day, so that the response can be cached. */
export const getWeekFilter = (now = new Date()): string =>
  serializeOpenRange(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1))

/** The statistics of a record's calls of the last seven days. Other servers than ours have none. */
export const useWeek = (calls: RecordCalls | undefined) => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const date = getWeekFilter()
  const query = useQuery({
    ...createOverviewQuery({ scope: calls?.scope ?? [], date, filters: calls?.filters ?? {} }),
    enabled: calls !== undefined && capabilities?.overview === true,
  })
  return { query, date, isAvailable: capabilities === undefined || capabilities.overview }
}

/** The share of today's calls that were answered; undefined if there are none. */
const getAnsweredShareOfToday = ({ hours }: CallOverview, now = new Date()) => {
  const startOfToday = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const hoursOfToday = hours.filter(({ start }) => Date.parse(start) >= startOfToday)
  const calls = hoursOfToday.reduce((sum, hour) => sum + hour.calls, 0)
  return calls > 0 ? hoursOfToday.reduce((sum, hour) => sum + hour.answered, 0) / calls : undefined
}

interface FigureProps {
  label: string
  value: string
  note?: string
  title?: string
  href: string
}

const Figure = ({ label, value, note, title, href }: FigureProps) => (
  <li>
    <a href={href} title={title}>
      <span className={css.label}>{label}</span> <span className={css.value}>{value}</span>{' '}
      {note ? <span className={css.note}>{note}</span> : null}
    </a>
  </li>
)

const Figures = ({ data, calls, date }: { data: CallOverview; calls: RecordCalls; date: string }) => {
  const shareOfToday = getAnsweredShareOfToday(data)
  const answeredPath = createCallsPath(calls, { date, status: 'answered' })
  return (
    <ul className={css.figures}>
      <Figure label="Calls" value={formatCount(data.calls)} href={createCallsPath(calls, { date })} />
      <Figure
        label="Answered"
        value={formatPercent(data.answered / data.calls)}
        note={shareOfToday === undefined ? undefined : `today ${formatPercent(shareOfToday)}`}
        href={answeredPath}
      />
      {data.post_dial_delay === null ? null : (
        <Figure
          label="Average time to answer"
          value={`${(data.post_dial_delay / 1000).toFixed(1)} s`}
          title="From the call attempt to the answer"
          href={answeredPath}
        />
      )}
    </ul>
  )
}

const weekdayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short' })

/** The weekday of each bar. The last one is today. */
const createWeekdayMarks = (bars: readonly CallBar[]) =>
  bars.map((bar, index) => ({
    positionFraction: (index + 0.5) / bars.length,
    text: index === bars.length - 1 ? 'Today' : weekdayFormat.format(dateOfBar(bar)),
  }))

const formatDay = (date: Date) => formatTimestamp(date.toISOString()).slice(0, 10)

const Chart = ({ data, calls, date, now }: { data: CallOverview; calls: RecordCalls; date: string; now: number }) => {
  const openPath = useOpenPath()
  const bars = createBars(data.hours, getChartRange(date, now))
  return (
    <div className={css.chart}>
      <Bars
        label="Calls per day"
        bars={bars.map(({ from, to, calls: count, answered }) => ({
          key: from.toISOString(),
          description: `${formatDay(dateOfBar({ from, to }))}: ${formatCount(count)} ${count === 1 ? 'call' : 'calls'}, ${formatCount(answered)} answered`,
          lowerValue: answered,
          upperValue: count - answered,
          onPress: () => openPath(createCallsPath(calls, { date: serializeTimeRange({ from, to }) })),
        }))}
        marks={createWeekdayMarks(bars)}
        endLabels={['', '']}
      />
    </div>
  )
}

interface WeekPanelProps {
  /** Undefined until the record has loaded. */
  calls: RecordCalls | undefined
  span?: PanelProps['span']
}

/** The calls of the last seven days: a bar per day, how many were answered, and how long that took. */
export const WeekPanel = ({ calls, span = 8 }: WeekPanelProps) => {
  const { query, date, isAvailable } = useWeek(calls)
  if (!isAvailable) return null
  return (
    <QueryPanel
      title="Last 7 days"
      span={span}
      query={query}
      skeleton={{ rows: 1, height: 168 }}
      end={query.data?.calls ? <BarsLegend labels={['answered', 'not answered']} /> : undefined}
    >
      {(data) =>
        calls && data.calls > 0 ? (
          <div className={css.week}>
            <Chart data={data} calls={calls} date={date} now={query.dataUpdatedAt} />
            <Figures data={data} calls={calls} date={date} />
          </div>
        ) : (
          <p className={css.none}>No calls in 7 days</p>
        )
      }
    </QueryPanel>
  )
}

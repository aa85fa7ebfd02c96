import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { QueryPanel } from '../../kit/record/query-panel'
import { formatDuration, formatShortTimestamp, formatTimestamp } from '../../lib/call-times'
import { formatPhoneNumber } from '../../lib/phone-number'
import { namedQueryKey } from '../../lib/query-keys'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Link } from '../../ui/link'
import type { PanelProps } from '../../ui/record/panel'
import { PanelList, PanelRow } from '../../ui/record/panel-list'
import { callKey, callSource, createCallPath } from './call-source'
import { CallStatusCode } from './call-status'
import { createCallsPath, createCallsQuery, type RecordCalls } from './record-calls'
import css from './recent-calls-panel.module.css'

const rowCount = 5
/** Calls are searched in this number of days. The links open the list of the same days. */
const days = '30'

/** The newest calls of a record. */
export const useNewestCalls = (calls: RecordCalls | undefined) => {
  const actor = useActor()
  const provider = useProviderSid()
  const queryClient = useQueryClient()
  const [level, sid] = calls?.scope ?? []
  const source = callSource(actor, provider, level === 'account' ? (sid ?? '') : '', queryClient)
  return useQuery({
    queryKey: namedQueryKey('recent_call', 'newest', ...source.key, calls?.filters ?? {}),
    queryFn: ({ signal }) =>
      source.fetch({ page: 1, count: rowCount, days: Number(days), ...calls?.filters }, { signal, isBackground: true }),
    enabled: calls !== undefined,
    meta: { suppressErrorToast: true },
  })
}

const CallRow = ({ row, listQuery }: { row: RecentCall; listQuery: string }) => {
  const { direction, attempted_at, from, to, duration } = row
  const Icon = direction === 'outbound' ? ArrowUpRight : ArrowDownLeft
  const caller = formatPhoneNumber(from ?? '')
  const callee = formatPhoneNumber(to ?? '')
  return (
    <PanelRow>
      <time className={css.time} title={formatTimestamp(attempted_at)}>
        {formatShortTimestamp(attempted_at)}
      </time>
      <span className={css.direction} title={direction ?? undefined}>
        {direction ? <Icon size={14} strokeWidth={2} role="img" aria-label={direction} /> : null}
      </span>
      <a className={css.numbers} href={`${createCallPath(row)}?${listQuery}`} title={`${caller} → ${callee}`}>
        {/* bdi: a right-to-left name would reverse the arrow */}
        <bdi>{caller}</bdi> <span className={css.arrow}>→</span> <bdi>{callee}</bdi>
      </a>
      <span className={css.status}>
        <CallStatusCode row={row} />
      </span>
      <span className={css.duration}>{formatDuration(duration)}</span>
    </PanelRow>
  )
}

interface RecentCallsPanelProps {
  /** Undefined until the record has loaded. */
  calls: RecordCalls | undefined
  span?: PanelProps['span']
}

/** The newest calls of a record, with a link to all. Omitted if there are none. */
export const RecentCallsPanel = ({ calls, span = 7 }: RecentCallsPanelProps) => (
  <QueryPanel
    title="Recent calls"
    span={span}
    query={useNewestCalls(calls)}
    skeleton={{ rows: rowCount }}
    isEmpty={({ rows }) => rows.length === 0}
    end={calls ? <Link href={createCallsPath(calls, { date: days })}>All calls</Link> : null}
  >
    {({ rows }) => (
      <PanelList columns="auto auto minmax(0, 1fr) auto auto">
        {rows.map((row) => (
          <CallRow key={callKey(row)} row={row} listQuery={calls ? createCallsQuery(calls, { date: days }) : ''} />
        ))}
      </PanelList>
    )}
  </QueryPanel>
)

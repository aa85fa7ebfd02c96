import { isTraced } from '../trace/model/trace-id'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { ArrowDownLeft, ArrowUpRight, ChartNoAxesGantt, Mic } from 'lucide-react'
import type { EventColumn } from '../../../kit/event-list/use-event-list'
import { RecordName } from '../../../kit/record/record-name'
import { CallStatus, CallStatusCode } from '../../../panels/calls/call-status'
import { PhoneNumberText } from '../../../panels/phone-number'
import { formatDuration, formatTimestamp, formatShortTimestamp } from '../../../lib/call-times'
import { getFeatureFlags } from '../../../lib/feature-flags'
import { formatPhoneNumber } from '../../../lib/phone-number'
import css from './call-cells.module.css'

export const Direction = ({ row: { direction } }: { row: { direction?: string | null } }) => {
  const Icon = direction === 'outbound' ? ArrowUpRight : ArrowDownLeft
  return (
    <span className={css.direction}>
      {direction ? <Icon size={14} strokeWidth={2} aria-hidden="true" /> : null}
      {direction}
    </span>
  )
}

/** The direction as an arrow only, for a narrow column. */
export const DirectionIcon = ({ row: { direction } }: { row: RecentCall }) => {
  if (!direction) return null
  const Icon = direction === 'outbound' ? ArrowUpRight : ArrowDownLeft
  return (
    <span className={css.direction} title={direction}>
      <Icon size={14} strokeWidth={2} role="img" aria-label={direction} />
    </span>
  )
}

/** Whether the call has a trace that the console can show. */
export const hasTrace = ({ trace_id }: RecentCall): boolean => getFeatureFlags().tracing && isTraced(trace_id)

/** Whether the call was recorded and recordings are enabled. */
export const isRecorded = ({ recording_url }: RecentCall): boolean =>
  getFeatureFlags().callRecording && Boolean(recording_url)

const CallMarks = ({ row }: { row: RecentCall }) => (
  <span className={css.marks}>
    {isRecorded(row) ? <Mic size={14} strokeWidth={2} role="img" aria-label="Recorded" /> : null}
    {hasTrace(row) ? <ChartNoAxesGantt size={14} strokeWidth={2} role="img" aria-label="Traced" /> : null}
  </span>
)

const dateColumn: EventColumn<RecentCall> = {
  id: 'attempted_at',
  head: 'Date',
  width: 205,
  mono: true,
  isDefault: true,
  cell: ({ attempted_at }) => formatTimestamp(attempted_at),
}

const accountColumn: EventColumn<RecentCall> = {
  id: 'account_sid',
  head: 'Account',
  minWidth: 178,
  isDefault: true,
  cell: (row) => <RecordName kind="account" row={row} link />,
}

const textColumn = (id: keyof RecentCall, head: string, minWidth?: number, mono = false): EventColumn<RecentCall> => ({
  id,
  head,
  minWidth,
  mono,
  cell: (row) => row[id] as string | number | null,
})

const commonColumns: EventColumn<RecentCall>[] = [
  {
    id: 'direction',
    head: 'Direction',
    headHidden: true,
    width: 38,
    isDefault: true,
    cell: (row) => <DirectionIcon row={row} />,
  },
  {
    id: 'from',
    head: 'From',
    minWidth: 124,
    mono: true,
    isDefault: true,
    cell: ({ from }) => <PhoneNumberText number={from} />,
  },
  {
    id: 'to',
    head: 'To',
    minWidth: 124,
    mono: true,
    isDefault: true,
    cell: ({ to }) => <PhoneNumberText number={to} />,
  },
  {
    id: 'answered',
    head: 'Status',
    width: 168,
    isDefault: true,
    cell: (row) => (
      <>
        <CallStatus row={row} />
        {row.sip_status === null ? null : <span className={css.code}>{row.sip_status}</span>}
      </>
    ),
  },
  {
    id: 'duration',
    head: 'Duration',
    width: 72,
    align: 'end',
    isDefault: true,
    cell: ({ duration }) => formatDuration(duration),
  },
  { ...textColumn('trunk', 'Trunk', 131), isDefault: true, hiddenWhenNarrow: true },
]

const marksColumn: EventColumn<RecentCall> = {
  id: 'marks',
  head: 'Recording and trace',
  headHidden: true,
  width: 72,
  align: 'end',
  isDefault: true,
  hasContent: (row) => isRecorded(row) || hasTrace(row),
  cell: (row) => <CallMarks row={row} />,
}

/** Returns the columns of the list; the account is shown only for several accounts. */
export const createColumns = (hasOneAccount: boolean): EventColumn<RecentCall>[] => [
  dateColumn,
  ...(hasOneAccount ? [] : [accountColumn]),
  ...commonColumns,
  textColumn('termination_reason', 'Termination reason', 140),
  {
    ...textColumn('application_sid', 'Application', 124),
    cell: (row) => <RecordName kind="application" row={row} link emptyLabel="" />,
  },
  textColumn('host', 'Host', 132, true),
  textColumn('remote_host', 'Remote host', 132, true),
  textColumn('call_sid', 'Call SID', 288, true),
  textColumn('sip_callid', 'SIP Call-ID', 240, true),
  marksColumn,
]

/** What a card or item shows at its end: whether there is a recording, and the SIP status. */
const EndMarks = ({ row }: { row: RecentCall }) => (
  <span className={css.endMarks}>
    {isRecorded(row) ? <Mic size={13} strokeWidth={2} role="img" aria-label="Recorded" /> : null}
    <CallStatusCode row={row} />
  </span>
)

/** The call as a card of two lines, for a narrow window. */
export const CallCard = ({ row, hasOneAccount }: { row: RecentCall; hasOneAccount: boolean }) => (
  <span className={css.card}>
    <span className={css.line}>
      <time className={css.time}>{formatShortTimestamp(row.attempted_at)}</time>
      <DirectionIcon row={row} />
      {hasOneAccount ? null : (
        <span className={css.account}>
          <RecordName kind="account" row={row} />
        </span>
      )}
      <EndMarks row={row} />
    </span>
    <span className={css.line}>
      <span className={css.numbers}>
        {/* bdi: a right-to-left name would reverse the arrow */}
        <bdi>{formatPhoneNumber(row.from ?? '')}</bdi> → <bdi>{formatPhoneNumber(row.to ?? '')}</bdi>
      </span>
      <span className={css.duration}>{formatDuration(row.duration)}</span>
    </span>
  </span>
)

/** The day of a call, above its calls in the list beside an open call. */
export const getCallDay = ({ attempted_at }: RecentCall, now = new Date()): string => {
  const day = formatTimestamp(attempted_at).slice(0, 10)
  return day === formatTimestamp(now.toISOString()).slice(0, 10) ? 'Today' : day
}

/** The call as an item of two lines, in the list beside an open call. */
export const CallItem = ({ row, hasOneAccount }: { row: RecentCall; hasOneAccount: boolean }) => {
  const time = formatTimestamp(row.attempted_at)
  const { application_name: applicationName } = row as { application_name?: unknown }
  return (
    <span className={css.item}>
      <time className={css.itemTime}>
        <span className="visually-hidden">{time.slice(0, 11)}</span>
        {time.slice(11, 16)}
        <span className={css.seconds}>{time.slice(16)}</span>
      </time>
      <DirectionIcon row={row} />
      <span className={css.itemLine}>
        <span className={css.itemNumbers}>
          {/* bdi: a right-to-left name would reverse the arrow */}
          <bdi>{formatPhoneNumber(row.from ?? '')}</bdi> <span className={css.arrow}>→</span>{' '}
          <bdi>{formatPhoneNumber(row.to ?? '')}</bdi>
        </span>
        <span className={css.duration}>{formatDuration(row.duration)}</span>
      </span>
      <span className={css.itemLine}>
        <span className={css.itemNames}>
          {hasOneAccount ? null : (
            <b>
              <RecordName kind="account" row={row} />
            </b>
          )}
          {typeof applicationName === 'string' ? <span>{applicationName}</span> : null}
        </span>
        <EndMarks row={row} />
      </span>
    </span>
  )
}

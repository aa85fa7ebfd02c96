import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { ReactNode } from 'react'
import { RecordName } from '../../../kit/record/record-name'
import { PhoneNumberText } from '../../../panels/phone-number'
import { formatDuration, formatTimestampMs } from '../../../lib/call-times'
import { getFeatureFlags } from '../../../lib/feature-flags'
import { toDialableNumber } from '../../../lib/phone-number'
import { CopyText } from '../../../ui/copy'
import css from './call-detail-panel.module.css'
import { TrunkName } from '../../../panels/calls/trunk-name'

interface DetailItem {
  label: string
  value: ReactNode
  mono?: boolean
}

/** Formats a timestamp to the millisecond, so that users can find the related log entries. */
const renderTime = (text: string | null) => text && <span title={text}>{formatTimestampMs(text) || text}</span>
const renderCopyable = (text: string | null) => text && <CopyText text={text} alwaysShowCopyButton />
const renderPhoneNumber = (number: string | null) =>
  number && (
    <CopyText text={toDialableNumber(number)} alwaysShowCopyButton>
      <PhoneNumberText number={number} />
    </CopyText>
  )

type DetailRenderers = Partial<Record<string, (row: RecentCall) => DetailItem>>

/** Fields that every call has, in three columns: times and result, parties, identifiers. */
const columns: DetailRenderers[] = [
  {
    attempted_at: (row) => ({ label: 'Attempted at', value: renderTime(row.attempted_at), mono: true }),
    answered_at: (row) => ({ label: 'Answered at', value: renderTime(row.answered_at), mono: true }),
    terminated_at: (row) => ({ label: 'Terminated at', value: renderTime(row.terminated_at), mono: true }),
    duration: (row) => ({ label: 'Duration', value: formatDuration(row.duration) }),
    answered: (row) => ({
      label: 'Status',
      value: [row.sip_status, row.answered ? 'answered' : 'not answered'].filter((part) => part !== null).join(' '),
    }),
    termination_reason: (row) => ({ label: 'Termination reason', value: row.termination_reason }),
  },
  {
    direction: (row) => ({ label: 'Direction', value: row.direction }),
    from: (row) => ({ label: 'From', value: renderPhoneNumber(row.from) }),
    to: (row) => ({ label: 'To', value: renderPhoneNumber(row.to) }),
    account_sid: (row) => ({ label: 'Account', value: <RecordName kind="account" row={row} link /> }),
    application_sid: (row) => ({ label: 'Application', value: <RecordName kind="application" row={row} link /> }),
    trunk: (row) => ({ label: 'Trunk', value: row.trunk && <TrunkName row={row} /> }),
  },
  {
    call_sid: (row) => ({ label: 'Call SID', value: renderCopyable(row.call_sid) }),
    trace_id: (row) => ({ label: 'Trace ID', value: renderCopyable(row.trace_id) }),
    sip_callid: (row) => ({ label: 'SIP Call-ID', value: renderCopyable(row.sip_callid) }),
    sip_parent_callid: (row) => ({ label: 'Parent SIP Call-ID', value: renderCopyable(row.sip_parent_callid) }),
    host: (row) => ({ label: 'Host', value: row.host, mono: true }),
    remote_host: (row) => ({ label: 'Remote host', value: row.remote_host, mono: true }),
  },
]

/** Fields that another field already shows, or that contain nothing to read. */
const hiddenFields = new Set([
  'sip_status',
  'service_provider_sid',
  'recording_url',
  'account_name',
  'application_name',
])
const listedFields = new Set(columns.flatMap((column) => Object.keys(column)))

/** Returns the additional fields of the record, under their original names. */
const getAdditionalItems = (row: RecentCall): DetailItem[] =>
  Object.entries(row)
    .filter(([name, value]) => !listedFields.has(name) && !hiddenFields.has(name) && value !== null && value !== '')
    .map(([label, value]) => ({ label, value: typeof value === 'string' ? value : JSON.stringify(value), mono: true }))

const DetailList = ({ items }: { items: DetailItem[] }) => (
  <dl className={css.detailList}>
    {items
      .filter(({ value }) => value !== null && value !== '')
      .map(({ label, value, mono }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-mono={mono || undefined}>{value}</dd>
        </div>
      ))}
  </dl>
)

export interface CallDetailsProps {
  row: RecentCall
  /** The reasons why the call has no SIP messages or no trace; undefined if it has them. */
  reasons: { capture: string | undefined; trace: string | undefined }
}

/** All details of a call. */
export const CallDetails = ({ row, reasons }: CallDetailsProps) => {
  const itemColumns = columns.map((column) => Object.values(column).flatMap((render) => render?.(row) ?? []))
  itemColumns
    .at(-1)
    ?.push(
      { label: 'SIP messages', value: reasons.capture ?? null },
      { label: 'Trace', value: getFeatureFlags().tracing ? (reasons.trace ?? null) : null },
      ...getAdditionalItems(row),
    )
  return (
    <div className={css.columns}>
      {itemColumns.map((column, index) => (
        <DetailList key={index} items={column} />
      ))}
    </div>
  )
}

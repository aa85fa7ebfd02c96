import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { ReactNode } from 'react'
import { RecordName } from '../../../kit/record/record-name'
import { PhoneNumberText } from '../../../panels/phone-number'
import { formatDuration, formatTimestampMs } from '../../../lib/call-times'
import { featureFlags } from '../../../lib/feature-flags'
import { toDialableNumber } from '../../../lib/phone-number'
import { CopyText } from '../../../ui/copy'
import css from './call-detail-panel.module.css'
import { Trunk } from './trunk'

interface Fact {
  label: string
  value: ReactNode
  mono?: boolean
}

/** Formats a timestamp to the millisecond, so that users can find the related log entries. */
const moment = (text: string | null) => text && <span title={text}>{formatTimestampMs(text)}</span>
const copied = (text: string | null) => text && <CopyText text={text} always />
const phone = (number: string | null) =>
  number && (
    <CopyText text={toDialableNumber(number)} always>
      <PhoneNumberText number={number} />
    </CopyText>
  )

type Facts = Partial<Record<string, (row: RecentCall) => Fact>>

/** Fields that every call has, in three columns: times and result, parties, identifiers. */
const columns: Facts[] = [
  {
    attempted_at: (row) => ({ label: 'Attempted at', value: moment(row.attempted_at), mono: true }),
    answered_at: (row) => ({ label: 'Answered at', value: moment(row.answered_at), mono: true }),
    terminated_at: (row) => ({ label: 'Terminated at', value: moment(row.terminated_at), mono: true }),
    duration: (row) => ({ label: 'Duration', value: formatDuration(row.duration) }),
    answered: (row) => ({
      label: 'Status',
      value: [row.sip_status, row.answered ? 'answered' : 'not answered'].filter((part) => part !== null).join(' '),
    }),
    termination_reason: (row) => ({ label: 'Termination reason', value: row.termination_reason }),
  },
  {
    direction: (row) => ({ label: 'Direction', value: row.direction }),
    from: (row) => ({ label: 'From', value: phone(row.from) }),
    to: (row) => ({ label: 'To', value: phone(row.to) }),
    account_sid: (row) => ({ label: 'Account', value: <RecordName kind="account" row={row} link /> }),
    application_sid: (row) => ({ label: 'Application', value: <RecordName kind="application" row={row} link /> }),
    trunk: (row) => ({ label: 'Trunk', value: row.trunk && <Trunk row={row} /> }),
  },
  {
    call_sid: (row) => ({ label: 'Call SID', value: copied(row.call_sid) }),
    trace_id: (row) => ({ label: 'Trace ID', value: copied(row.trace_id) }),
    sip_callid: (row) => ({ label: 'SIP Call-ID', value: copied(row.sip_callid) }),
    sip_parent_callid: (row) => ({ label: 'Parent SIP Call-ID', value: copied(row.sip_parent_callid) }),
    host: (row) => ({ label: 'Host', value: row.host, mono: true }),
    remote_host: (row) => ({ label: 'Remote host', value: row.remote_host, mono: true }),
  },
]

/** Fields that another field already shows, or that contain nothing to read. */
const silent = new Set(['sip_status', 'service_provider_sid', 'recording_url', 'account_name', 'application_name'])
const known = new Set(columns.flatMap((column) => Object.keys(column)))

/** Returns the additional fields of the record, under their original names. */
const further = (row: RecentCall): Fact[] =>
  Object.entries(row)
    .filter(([name, value]) => !known.has(name) && !silent.has(name) && value !== null && value !== '')
    .map(([label, value]) => ({ label, value: typeof value === 'string' ? value : JSON.stringify(value), mono: true }))

const Pairs = ({ facts }: { facts: Fact[] }) => (
  <dl className={css.pairs}>
    {facts
      .filter(({ value }) => value !== null && value !== '')
      .map(({ label, value, mono }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-mono={mono || undefined}>{value}</dd>
        </div>
      ))}
  </dl>
)

export interface DetailsProps {
  row: RecentCall
  /** The reasons why the call has no SIP messages or no trace; undefined if it has them. */
  reasons: { capture: string | undefined; trace: string | undefined }
}

/** All details of a call. */
export const Details = ({ row, reasons }: DetailsProps) => {
  const facts = columns.map((column) => Object.values(column).flatMap((fact) => fact?.(row) ?? []))
  facts
    .at(-1)
    ?.push(
      { label: 'SIP messages', value: reasons.capture ?? null },
      { label: 'Trace', value: featureFlags().tracing ? (reasons.trace ?? null) : null },
      ...further(row),
    )
  return (
    <div className={css.columns}>
      {facts.map((column, at) => (
        <Pairs key={at} facts={column} />
      ))}
    </div>
  )
}

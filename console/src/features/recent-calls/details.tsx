import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { ReactNode } from 'react'
import { NameOf } from '../../kit/name-of'
import { sayDuration, sayMoment } from '../../lib/call-times'
import { CopyText } from '../../ui/copy'
import css from './opened.module.css'

interface Fact {
  label: string
  value: ReactNode
  mono?: boolean
}

const moment = (text: string | null) => text && <span title={text}>{sayMoment(text)}</span>
const copied = (text: string | null) => text && <CopyText text={text} always />

/** What every call has a word for. */
const known: Partial<Record<string, (row: RecentCall) => Fact>> = {
  attempted_at: (row) => ({ label: 'Attempted at', value: moment(row.attempted_at), mono: true }),
  direction: (row) => ({ label: 'Direction', value: row.direction }),
  call_sid: (row) => ({ label: 'Call SID', value: copied(row.call_sid) }),
  answered_at: (row) => ({ label: 'Answered at', value: moment(row.answered_at), mono: true }),
  from: (row) => ({ label: 'From', value: copied(row.from) }),
  trace_id: (row) => ({ label: 'Trace ID', value: copied(row.trace_id) }),
  terminated_at: (row) => ({ label: 'Terminated at', value: moment(row.terminated_at), mono: true }),
  to: (row) => ({ label: 'To', value: copied(row.to) }),
  sip_callid: (row) => ({ label: 'SIP Call ID', value: copied(row.sip_callid) }),
  duration: (row) => ({ label: 'Duration', value: sayDuration(row.duration) }),
  account_sid: (row) => ({ label: 'Account', value: <NameOf kind="account" row={row} link /> }),
  host: (row) => ({ label: 'Host', value: row.host, mono: true }),
  answered: (row) => ({
    label: 'Status',
    value: [row.sip_status, row.answered ? 'answered' : 'not answered'].filter((part) => part !== null).join(' '),
  }),
  application_sid: (row) => ({ label: 'Application', value: <NameOf kind="application" row={row} link /> }),
  remote_host: (row) => ({ label: 'Remote host', value: row.remote_host, mono: true }),
  termination_reason: (row) => ({ label: 'Termination reason', value: row.termination_reason }),
  trunk: (row) => ({ label: 'Trunk', value: row.trunk }),
  sip_parent_callid: (row) => ({ label: 'Parent SIP Call ID', value: copied(row.sip_parent_callid) }),
}

/** Said in another fact, or nothing to read. */
const silent = new Set(['sip_status', 'service_provider_sid', 'recording_url', 'account_name', 'application_name'])

/** What the writer of the record said beyond that, under its own names. */
const further = (row: RecentCall): Fact[] =>
  Object.entries(row)
    .filter(([name, value]) => !known[name] && !silent.has(name) && value !== null && value !== '')
    .map(([label, value]) => ({ label, value: typeof value === 'string' ? value : JSON.stringify(value), mono: true }))

/** Everything that is known of a call. */
export const Details = ({ row }: { row: RecentCall }) => {
  const facts = [...Object.values(known).flatMap((fact) => fact?.(row) ?? []), ...further(row)]
  return (
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
}

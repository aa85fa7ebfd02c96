import type { FailingCarrier } from '@trunkline/contract/shapes/recent-call'
import { CircleX, Unplug } from 'lucide-react'
import { formatAge, formatShortTimestamp, formatTimestamp, serializeOpenRange } from '../../lib/call-times'
import { paths } from '../../lib/paths'
import { formatCount, formatCounted } from '../../ui/format-count'
import css from './failing-carrier-row.module.css'
import { createCallsPath, type RecordCalls } from './record-calls'
import { getReasonPhrase, noStatusLabel } from './sip-reason'

/** At most this many SIP statuses of a carrier are shown. */
const maxStatuses = 3

const formatStatus = (status: number) => (status === 0 ? noStatusLabel : String(status))

/** What fails, in words: the most frequent response to calls, and the response to the registration. */
export const getFailureReasons = ({ calls, registration }: FailingCarrier): string[] => {
  const status = calls?.failures[0]?.sip_status
  return [
    ...(status === undefined ? [] : [`Outbound calls fail: ${formatStatus(status)} ${getReasonPhrase(status)}`.trim()]),
    ...(registration ? [`Registration refused${registration.reason ? `: ${registration.reason}` : ''}`] : []),
  ]
}

interface FailedCallsProps {
  scope: RecordCalls['scope']
  name: string
  calls: NonNullable<FailingCarrier['calls']>
}

/** The failed calls by SIP status and all calls since the first failure, each with a link to them. */
const FailedCalls = ({ scope, name, calls: { since, total, failures } }: FailedCallsProps) => {
  const calls = { scope, filters: {}, search: { trunk: name } }
  const filters = { date: serializeOpenRange(new Date(since)), direction: 'outbound' }
  return (
    <>
      {failures.slice(0, maxStatuses).map(({ sip_status, calls: count }) => (
        <a
          key={sip_status}
          className={css.status}
          href={createCallsPath(calls, { ...filters, status: 'not-answered', sip: String(sip_status) })}
        >
          {formatStatus(sip_status)} <b>{formatCount(count)}</b>{' '}
          <span className="visually-hidden">
            {count === 1 ? 'call' : 'calls'} of {name}
          </span>
        </a>
      ))}
      <span>
        of <a href={createCallsPath(calls, filters)}>{formatCounted(total, 'call')}</a>
      </span>
    </>
  )
}

interface FailingCarrierRowProps {
  row: FailingCarrier
  scope: RecordCalls['scope']
  /** When the row was read, in milliseconds since 1970. */
  now: number
  /** Shows the name of the carrier, as a link to its page. */
  hasName?: boolean
}

/** What fails at a carrier, how often and since when, with links to the calls. */
export const FailingCarrierRow = ({ row, scope, now, hasName = false }: FailingCarrierRowProps) => {
  const { name, voip_carrier_sid, calls } = row
  const Icon = calls ? CircleX : Unplug
  return (
    <li className={css.carrier}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <div className={css.name}>
        {hasName && voip_carrier_sid ? <a href={paths.carriers.view(voip_carrier_sid)}>{name}</a> : null}
        {hasName && !voip_carrier_sid ? <span>{name}</span> : null}
        <p>{getFailureReasons(row).join(' · ')}</p>
      </div>
      <div className={css.calls}>{calls ? <FailedCalls scope={scope} name={name} calls={calls} /> : null}</div>
      <p className={css.time}>
        {calls ? (
          <>
            <b>Failing {formatAge(now - Date.parse(calls.since))}</b>
            <time title={formatTimestamp(calls.since)}>
              {/* a time of today without its seconds */}
              since {formatShortTimestamp(calls.since).replace(/(:\d\d):\d\d$/, '$1')}
            </time>
          </>
        ) : null}
      </p>
    </li>
  )
}

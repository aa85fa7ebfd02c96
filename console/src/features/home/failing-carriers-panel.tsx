import { useQuery } from '@tanstack/react-query'
import type { FailingCarrier } from '@trunkline/contract/shapes/recent-call'
import { CircleX, Unplug } from 'lucide-react'
import { QueryPanel } from '../../kit/record/query-panel'
import { formatShortTimestamp, formatTimestamp, serializeOpenRange } from '../../lib/call-times'
import { paths } from '../../lib/paths'
import { createCallsPath } from '../../panels/calls/record-calls'
import { getReasonPhrase, noStatusLabel } from '../../panels/calls/sip-reason'
import { Link } from '../../ui/link'
import { formatAge } from './call-figures'
import css from './failing-carriers-panel.module.css'
import { createFailingCarriersQuery, type HomeScope } from './home-queries'
import { formatCount } from '../../ui/format-count'

/** At most this many SIP statuses of a carrier are shown. */
const maxStatuses = 3

const formatStatus = (status: number) => (status === 0 ? noStatusLabel : String(status))

/** What fails, in words: the most frequent response to calls, and the response to the registration. */
const getReasons = ({ calls, registration }: FailingCarrier): string[] => {
  const status = calls?.failures[0]?.sip_status
  return [
    ...(status === undefined ? [] : [`Outbound calls fail: ${formatStatus(status)} ${getReasonPhrase(status)}`.trim()]),
    ...(registration ? [`Registration refused${registration.reason ? `: ${registration.reason}` : ''}`] : []),
  ]
}

interface FailedCallsProps {
  scope: HomeScope
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
        of{' '}
        <a href={createCallsPath(calls, filters)}>
          {formatCount(total)} {total === 1 ? 'call' : 'calls'}
        </a>
      </span>
    </>
  )
}

const CarrierRow = ({ row, scope, now }: { row: FailingCarrier; scope: HomeScope; now: number }) => {
  const { name, voip_carrier_sid, calls } = row
  const Icon = calls ? CircleX : Unplug
  return (
    <li className={css.carrier}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <div className={css.name}>
        {voip_carrier_sid ? <a href={paths.carriers.view(voip_carrier_sid)}>{name}</a> : <span>{name}</span>}
        <p>{getReasons(row).join(' · ')}</p>
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

/** The carriers that fail now. Omitted if all work. */
export const FailingCarriersPanel = ({ scope }: { scope: HomeScope }) => {
  const query = useQuery(createFailingCarriersQuery(scope))
  return (
    <QueryPanel
      title="Failing carriers"
      query={query}
      skeleton={{ rows: 1, height: 54 }}
      isEmpty={(rows) => rows.length === 0}
      count={(rows) => rows.length}
      end={<Link href={paths.carriers.list}>All carriers</Link>}
    >
      {(rows) => (
        <ul>
          {rows.map((row) => (
            <CarrierRow key={`${row.name} ${row.voip_carrier_sid}`} row={row} scope={scope} now={query.dataUpdatedAt} />
          ))}
        </ul>
      )}
    </QueryPanel>
  )
}

import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { PhoneMissed } from 'lucide-react'
import { Status } from '../../ui/status'
import { getReasonPhrase } from './sip-reason'

type CallOutcome = Pick<RecentCall, 'answered' | 'sip_status'>

/** Red only if a server failed (5xx): a call that a person did not take is no fault of the platform. */
const getAppearance = ({ answered, sip_status }: CallOutcome) => {
  if (answered) return { kind: 'ok' } as const
  return sip_status !== null && sip_status >= 500 && sip_status < 600
    ? ({ kind: 'bad' } as const)
    : ({ kind: 'warn', icon: PhoneMissed } as const)
}

const getLabel = ({ answered }: CallOutcome) => (answered ? 'answered' : 'not answered')

const getTitle = ({ sip_status }: CallOutcome) =>
  sip_status === null ? {} : { title: `${sip_status} ${getReasonPhrase(sip_status)}`.trim() }

/** Whether a call was answered, in words. */
export const CallStatus = ({ row }: { row: CallOutcome }) => (
  <Status {...getAppearance(row)} {...getTitle(row)}>
    {getLabel(row)}
  </Status>
)

/** Whether a call was answered, as its SIP status, for a narrow column. In words if there is no SIP status. */
export const CallStatusCode = ({ row }: { row: CallOutcome }) => (
  <Status {...getAppearance(row)} {...getTitle(row)}>
    {row.sip_status === null ? (
      getLabel(row)
    ) : (
      <>
        {row.sip_status} <span className="visually-hidden">{getLabel(row)}</span>
      </>
    )}
  </Status>
)

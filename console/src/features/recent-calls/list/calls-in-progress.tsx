import { PhoneCall } from 'lucide-react'
import { useParams } from '@tanstack/react-router'
import { RecordName } from '../../../kit/record/record-name'
import { useLiveCalls, type TimedCall } from '../../../panels/calls/live-calls'
import { PhoneNumberText } from '../../../panels/phone-number'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { moveBetweenRows, rowNavigationAttribute } from '../../../ui/table/row-navigation'
import { Direction } from './call-cells'
import css from './calls-in-progress.module.css'
import { formatElapsed, formatStatus, HangUpButton, useNow } from './live-call'
import { useLiveCallPath } from './live-call-path'

/** Maximum number of calls shown. */
const maxCalls = 50

export interface CallsInProgressProps {
  /** Scope of the calls, as in the key of the list below: the level and its SID. */
  scope: readonly unknown[]
}

export interface CallSegmentsProps extends CallsInProgressProps {
  isLive: boolean
  onChange: (isLive: boolean) => void
}

/** Switches between finished calls and calls in progress. Hidden if the server can't list the latter. */
export const CallSegments = ({ scope, isLive, onChange }: CallSegmentsProps) => {
  const { data } = useLiveCalls(scope)
  if (!data && !isLive) return null
  return (
    <div role="group" aria-label="Calls shown" className={css.segments}>
      <button type="button" aria-pressed={!isLive} onClick={() => onChange(false)}>
        Ended
      </button>
      <button type="button" aria-pressed={isLive} onClick={() => onChange(true)}>
        In progress <b>{(data ?? []).length.toLocaleString('en-US')}</b>
      </button>
    </div>
  )
}

const Numbers = ({ call: { from, to } }: TimedCall) => (
  <>
    <bdi>
      <PhoneNumberText number={from} />
    </bdi>{' '}
    →{' '}
    <bdi>
      <PhoneNumberText number={to} />
    </bdi>
  </>
)

interface CallRowProps {
  timedCall: TimedCall
  now: number
  hasOneAccount: boolean
}

const CallRow = ({ timedCall, now, hasOneAccount }: CallRowProps) => {
  const { call } = timedCall
  const { sid: openSid }: { sid?: string } = useParams({ strict: false })
  const createPath = useLiveCallPath()
  const isOpen = call.call_sid === openSid
  return (
    <li {...rowNavigationAttribute} data-open={isOpen || undefined}>
      <Direction row={call} />
      <b>
        {call.call_sid ? (
          <a href={createPath(call.call_sid)} aria-current={isOpen || undefined}>
            <Numbers {...timedCall} />
          </a>
        ) : (
          <Numbers {...timedCall} />
        )}
      </b>
      <span className={css.account}>{hasOneAccount ? null : <RecordName kind="account" row={call} />}</span>
      <span>{formatStatus(call.call_status)}</span>
      <time>{formatElapsed(now, timedCall)}</time>
      {/* beside an open call, which has its own button, the rows are narrow */}
      {openSid === undefined ? <HangUpButton call={call} /> : null}
    </li>
  )
}

/** The calls in progress. */
export const CallsInProgress = ({ scope }: CallsInProgressProps) => {
  const [level] = scope
  const { data: calls = [] } = useLiveCalls(scope)
  const now = useNow()
  if (calls.length === 0) return <EmptyState icon={PhoneCall} title="No calls in progress." />
  return (
    <section className={css.calls} aria-label="Calls in progress">
      <h2>
        Calls in progress <span>{calls.length.toLocaleString('en-US')}</span>
      </h2>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul onKeyDown={moveBetweenRows}>
        {calls.slice(0, maxCalls).map((timedCall) => (
          <CallRow key={timedCall.id} {...{ timedCall, now }} hasOneAccount={level === 'account'} />
        ))}
      </ul>
      {calls.length > maxCalls ? <p>and {(calls.length - maxCalls).toLocaleString('en-US')} more</p> : null}
    </section>
  )
}

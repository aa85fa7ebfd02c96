import { PhoneCall, SearchX } from 'lucide-react'
import { useParams } from '@tanstack/react-router'
import type { ListState } from '../../../kit/list/paging'
import { useEffect, useRef } from 'react'
import { RecordName } from '../../../kit/record/record-name'
import { useLiveCalls, type TimedCall } from '../../../panels/calls/live-calls'
import { PhoneNumberText } from '../../../panels/phone-number'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { formatCount } from '../../../ui/format-count'
import { moveBetweenRows, rowNavigationAttribute } from '../../../ui/table/row-navigation'
import { Direction } from './call-cells'
import css from './calls-in-progress.module.css'
import { formatElapsed, formatStatus, HangUpButton, useNow } from './live-call'
import { filterLiveCalls } from './live-call-filter'
import { useLiveCallPath } from './live-call-path'

/** Maximum number of calls shown. */
const maxCalls = 50

export interface CallsInProgressProps {
  /** Scope of the calls, as in the key of the list below: the level and its SID. */
  scope: readonly unknown[]
  /** Its direction and text select the calls. */
  listState: ListState
}

export interface CallSegmentsProps extends CallsInProgressProps {
  isLive: boolean
  onChange: (isLive: boolean) => void
}

/** Switches between finished calls and calls in progress. Hidden if the server can't list the latter. */
export const CallSegments = ({ scope, listState, isLive, onChange }: CallSegmentsProps) => {
  const { data } = useLiveCalls(scope)
  if (!data && !isLive) return null
  return (
    <div role="group" aria-label="Calls shown" className={css.segments}>
      <button type="button" aria-pressed={!isLive} onClick={() => onChange(false)}>
        Ended
      </button>
      <button type="button" aria-pressed={isLive} onClick={() => onChange(true)}>
        In progress <b>{formatCount(filterLiveCalls(data ?? [], listState).length)}</b>
      </button>
    </div>
  )
}

/** The number of calls in progress that the filters select. */
export const CallCount = ({ scope, listState }: CallsInProgressProps) => {
  const { data } = useLiveCalls(scope)
  return data ? <>{formatCount(filterLiveCalls(data, listState).length)}</> : null
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

/** Keeps the focus on the open call, and the call in view, while the focus is in the list. Returns the ref of the list. */
const useOpenCallFocus = () => {
  const list = useRef<HTMLUListElement>(null)
  const { sid: openSid }: { sid?: string } = useParams({ strict: false })
  useEffect(() => {
    if (list.current?.contains(document.activeElement))
      list.current.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [openSid])
  return list
}

/** The calls in progress that the filters select. */
export const CallsInProgress = ({ scope, listState }: CallsInProgressProps) => {
  const [level] = scope
  const { data: allCalls = [] } = useLiveCalls(scope)
  const calls = filterLiveCalls(allCalls, listState)
  const now = useNow()
  const list = useOpenCallFocus()
  if (allCalls.length === 0) return <EmptyState icon={PhoneCall} title="No calls in progress." />
  if (calls.length === 0) return <EmptyState icon={SearchX} title="Nothing matches these filters." />
  return (
    <section className={css.calls} aria-label="Calls in progress">
      <h2>
        Calls in progress <span>{formatCount(calls.length)}</span>
      </h2>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul ref={list} onKeyDown={moveBetweenRows}>
        {calls.slice(0, maxCalls).map((timedCall) => (
          <CallRow key={timedCall.id} {...{ timedCall, now }} hasOneAccount={level === 'account'} />
        ))}
      </ul>
      {calls.length > maxCalls ? <p>and {formatCount(calls.length - maxCalls)} more</p> : null}
    </section>
  )
}

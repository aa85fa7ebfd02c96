import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/live-call'
import { liveCall } from '@trunkline/contract/resources/live-call'
import type { LiveCall } from '@trunkline/contract/shapes/live-call'
import { PhoneCall, PhoneOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { RecordName } from '../../../kit/record/record-name'
import { useLiveCalls } from '../../../panels/calls/live-calls'
import { PhoneNumberText } from '../../../panels/phone-number'
import { formatDuration } from '../../../lib/call-times'
import { capitalize } from '../../../lib/capitalize'
import { request } from '../../../lib/client'
import { formatPhoneNumber } from '../../../lib/phone-number'
import { getErrorMessage } from '../../../lib/problem'
import { kindKey } from '../../../lib/query-keys'
import { useProviderSid } from '../../../session/current-provider'
import { useCan } from '../../../session/session'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { moveBetweenRows, rowNavigationAttribute } from '../../../ui/table/row-navigation'
import { toast } from '../../../ui/feedback/toast'
import { Direction } from './call-cells'
import css from './calls-in-progress.module.css'

/** Maximum number of calls shown. */
const maxCalls = 50
const secondMs = 1000

interface IdentifiedCall {
  call: LiveCall
  id: string
}

interface EstimatedStart {
  startedAt: number
  /** The call may have started earlier: it was present in the first response, with no duration yet. */
  mayBeEarlier?: true
}

/**
 * Adds to each call an `id` that is unique in the list and the same in the next response. It is the SID, but a voice
 * server may report calls without one.
 */
const identifyCalls = (calls: readonly LiveCall[]): IdentifiedCall[] => {
  const callCounts = new Map<string, number>()
  return calls.map((call) => {
    const { account_sid, call_sid, call_id, direction, from, to } = call
    const name = call_sid || call_id || JSON.stringify([account_sid, direction, from, to])
    const number = (callCounts.get(name) ?? 0) + 1
    callCounts.set(name, number)
    return { call, id: number === 1 ? name : `${name} ${number}` }
  })
}

/** Estimates the start of each call. The platform may report an outdated duration, so the earliest estimate is kept. */
const useEstimatedStarts = (calls: readonly IdentifiedCall[], respondedAt: number) => {
  const [starts] = useState(() => new Map<string, EstimatedStart>())
  const hasResponse = useRef(false)
  const ids = new Set(calls.map(({ id }) => id))
  // a later call may have the id of an ended call without a SID
  for (const id of [...starts.keys()]) if (!ids.has(id)) starts.delete(id)
  for (const { call, id } of calls) {
    const durationSeconds = call.duration ?? 0
    const startedAt = respondedAt - durationSeconds * secondMs
    const knownStart = starts.get(id)
    if (knownStart !== undefined && startedAt >= knownStart.startedAt) continue
    // a call that appears after the first response has just started
    const isGuess = durationSeconds === 0 && !hasResponse.current
    starts.set(id, { startedAt, ...(isGuess ? { mayBeEarlier: true as const } : {}) })
  }
  hasResponse.current ||= respondedAt > 0
  return starts
}

/** Formats the current duration of a call. */
const formatElapsed = (now: number, start: EstimatedStart | undefined) => {
  const durationText = formatDuration(Math.floor((now - (start?.startedAt ?? now)) / secondMs))
  return start?.mayBeEarlier ? messages.minimumDuration(durationText) : durationText
}

const useNow = (isRunning: boolean) => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), secondMs)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}

const formatParties = ({ from, to }: LiveCall) => [formatPhoneNumber(from ?? ''), formatPhoneNumber(to ?? '')] as const

const HangUpDialog = ({ row, onClose }: { row: LiveCall; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const { account_sid = '', call_sid = '' } = row
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      request(liveCall.update, { params: { account_sid, call_sid }, body: { call_status: 'completed' } }),
    meta: { suppressErrorToast: true },
    onSuccess: () => {
      toast.ok(messages.hangingUp)
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: kindKey('live_call') }),
  })
  return (
    <ConfirmDialog
      opened
      title="Hang up"
      question={messages.hangUp(...formatParties(row))}
      confirmLabel="Hang up"
      pending={isPending}
      {...(error ? { error: getErrorMessage(error) } : {})}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  )
}

/** Formats a status: 'in-progress' becomes 'In progress'. */
const formatStatus = (status: string | undefined) => capitalize((status ?? '').replaceAll('-', ' '))

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

/** The calls in progress. */
export const CallsInProgress = ({ scope }: CallsInProgressProps) => {
  const [level] = scope
  const provider = useProviderSid()
  const can = useCan()
  const [callToEnd, setCallToEnd] = useState<LiveCall>()
  const { data = [], dataUpdatedAt } = useLiveCalls(scope)
  const calls = identifyCalls(data)
  const starts = useEstimatedStarts(calls, dataUpdatedAt)
  // `useNow` can be up to a second behind
  const now = Math.max(useNow(data.length > 0), dataUpdatedAt)
  const canHangUp = ({ account_sid, call_sid }: LiveCall) =>
    Boolean(call_sid) &&
    can('update', 'live_call', { account_sid: account_sid ?? null, service_provider_sid: provider })
  return (
    <>
      {data.length > 0 ? (
        <section className={css.calls} aria-label="Calls in progress">
          <h2>
            Calls in progress <span>{data.length.toLocaleString('en-US')}</span>
          </h2>
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <ul onKeyDown={moveBetweenRows}>
            {calls.slice(0, maxCalls).map(({ call: row, id }) => (
              <li key={id} {...rowNavigationAttribute}>
                <Direction row={row} />
                <b>
                  <bdi>
                    <PhoneNumberText number={row.from} />
                  </bdi>{' '}
                  →{' '}
                  <bdi>
                    <PhoneNumberText number={row.to} />
                  </bdi>
                </b>
                <span className={css.account}>
                  {level === 'account' ? null : <RecordName kind="account" row={row} />}
                </span>
                <span>{formatStatus(row.call_status)}</span>
                <time>{formatElapsed(now, starts.get(id))}</time>
                {canHangUp(row) ? (
                  <Button
                    size="sm"
                    icon={PhoneOff}
                    aria-label={`Hang up ${formatParties(row).join(' to ')}`}
                    onClick={() => setCallToEnd(row)}
                  >
                    Hang up
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
          {data.length > maxCalls ? <p>and {(data.length - maxCalls).toLocaleString('en-US')} more</p> : null}
        </section>
      ) : (
        <EmptyState icon={PhoneCall} title="No calls in progress." />
      )}
      {callToEnd ? <HangUpDialog row={callToEnd} onClose={() => setCallToEnd(undefined)} /> : null}
    </>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/live-call'
import { liveCall, liveCallsOfProvider } from '@trunkline/contract/resources/live-call'
import type { LiveCall } from '@trunkline/contract/shapes/live-call'
import { PhoneCall, PhoneOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { RecordName } from '../../../kit/record/record-name'
import { PhoneNumberText } from '../../../panels/phone-number'
import { capabilitiesQuery } from '../../../lib/server-capabilities'
import { formatDuration } from '../../../lib/call-times'
import { capitalize } from '../../../lib/capitalize'
import { request } from '../../../lib/client'
import { formatPhoneNumber } from '../../../lib/phone-number'
import { getErrorMessage } from '../../../lib/problem'
import { useProviderSid } from '../../../session/current-provider'
import { useCan } from '../../../session/session'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { moveBetweenRows, rowMark } from '../../../ui/table/row-navigation'
import { toast } from '../../../ui/feedback/toast'
import { Direction } from './call-cells'
import css from './calls-in-progress.module.css'

/** Polling intervals in milliseconds; the longer one is for v1 servers, which may limit the request rate. */
const often = 5000
const seldom = 30_000
/** Maximum number of calls shown. */
const most = 50
const second = 1000

interface Beginning {
  at: number
  /** The call may have started earlier: it was present in the first response, with no duration yet. */
  earliest?: true
}

/** Estimates the start of each call. The platform may report an outdated duration, so the earliest estimate is kept. */
const useBeginnings = (calls: readonly LiveCall[], at: number) => {
  const [since] = useState(() => new Map<string, Beginning>())
  const looked = useRef(false)
  for (const { call_sid = '', duration = 0 } of calls) {
    const begun = at - duration * second
    const known = since.get(call_sid)
    if (known !== undefined && begun >= known.at) continue
    // a call that appears after the first response has just started
    const guessed = duration === 0 && !looked.current
    since.set(call_sid, { at: begun, ...(guessed ? { earliest: true as const } : {}) })
  }
  looked.current ||= at > 0
  return since
}

/** Formats the current duration of a call. */
const sayLength = (now: number, begun: Beginning | undefined) => {
  const length = formatDuration(Math.floor((now - (begun?.at ?? now)) / second))
  return begun?.earliest ? messages.minimumDuration(length) : length
}

const useNow = (ticking: boolean) => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setNow(Date.now()), second)
    return () => clearInterval(timer)
  }, [ticking])
  return now
}

const sayCall = ({ from = '', to = '' }: LiveCall) => [formatPhoneNumber(from), formatPhoneNumber(to)] as const

const HangUp = ({ row, onClose }: { row: LiveCall; onClose: () => void }) => {
  const cache = useQueryClient()
  const { account_sid = '', call_sid = '' } = row
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      request(liveCall.update, { params: { account_sid, call_sid }, body: { call_status: 'completed' } }),
    meta: { suppressErrorToast: true },
    onSuccess: () => {
      toast.ok(messages.hangingUp)
      onClose()
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['live_call'] }),
  })
  return (
    <ConfirmDialog
      opened
      title="Hang up"
      question={messages.hangUp(...sayCall(row))}
      confirm="Hang up"
      pending={isPending}
      {...(error ? { error: getErrorMessage(error) } : {})}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  )
}

/** Formats a status: 'in-progress' becomes 'In progress'. */
const statusText = (status = '') => capitalize(status.replaceAll('-', ' '))

export interface InProgressProps {
  /** Scope of the calls, as in the key of the list below: the level and its SID. */
  of: readonly unknown[]
}

/** Polls the calls in progress; `data` stays undefined if the server can't list them. */
const useLiveCalls = ([below, sid]: readonly unknown[]) => {
  const { data: able } = useQuery(capabilitiesQuery)
  return useQuery({
    queryKey: ['live_call', below, sid],
    queryFn: ({ signal }) =>
      below === 'account'
        ? request(liveCall.list, { params: { account_sid: String(sid) }, signal, isPolling: true })
        : request(liveCallsOfProvider, { params: { service_provider_sid: String(sid) }, signal, isPolling: true }),
    refetchInterval: able?.live ? often : seldom,
    retry: false,
    meta: { suppressErrorToast: true },
  })
}

export interface SegmentsProps extends InProgressProps {
  live: boolean
  onLive: (live: boolean) => void
}

/** Switches between finished calls and calls in progress. Hidden if the server can't list the latter. */
export const CallSegments = ({ of, live, onLive }: SegmentsProps) => {
  const { data } = useLiveCalls(of)
  if (!data && !live) return null
  return (
    <div role="group" aria-label="Calls shown" className={css.segments}>
      <button type="button" aria-pressed={!live} onClick={() => onLive(false)}>
        Ended
      </button>
      <button type="button" aria-pressed={live} onClick={() => onLive(true)}>
        In progress <b>{(data ?? []).length.toLocaleString('en-US')}</b>
      </button>
    </div>
  )
}

/** The calls in progress. */
export const InProgress = ({ of }: InProgressProps) => {
  const [below] = of
  const provider = useProviderSid()
  const can = useCan()
  const [leaving, setLeaving] = useState<LiveCall>()
  const { data = [], dataUpdatedAt } = useLiveCalls(of)
  const beginnings = useBeginnings(data, dataUpdatedAt)
  // `useNow` can be up to a second behind
  const now = Math.max(useNow(data.length > 0), dataUpdatedAt)
  const mayEnd = ({ account_sid }: LiveCall) =>
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
            {data.slice(0, most).map((row) => (
              <li key={row.call_sid} {...rowMark}>
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
                  {below === 'account' ? null : <RecordName kind="account" row={row} />}
                </span>
                <span>{statusText(row.call_status)}</span>
                <time>{sayLength(now, beginnings.get(row.call_sid ?? ''))}</time>
                {mayEnd(row) ? (
                  <Button
                    size="sm"
                    icon={PhoneOff}
                    aria-label={`Hang up ${sayCall(row).join(' to ')}`}
                    onClick={() => setLeaving(row)}
                  >
                    Hang up
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
          {data.length > most ? <p>and {(data.length - most).toLocaleString('en-US')} more</p> : null}
        </section>
      ) : (
        <EmptyState icon={PhoneCall} title="No calls in progress." />
      )}
      {leaving ? <HangUp row={leaving} onClose={() => setLeaving(undefined)} /> : null}
    </>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/live-call'
import { liveCall } from '@trunkline/contract/resources/live-call'
import type { LiveCall } from '@trunkline/contract/shapes/live-call'
import { PhoneOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatDuration } from '../../../lib/call-times'
import { capitalize } from '../../../lib/capitalize'
import { request } from '../../../lib/client'
import { formatPhoneNumber } from '../../../lib/phone-number'
import { getErrorMessage } from '../../../lib/problem'
import { kindKey } from '../../../lib/query-keys'
import type { TimedCall } from '../../../panels/calls/live-calls'
import { useProviderSid } from '../../../session/current-provider'
import { useCan } from '../../../session/session'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog'
import { toast } from '../../../ui/feedback/toast'

const secondMs = 1000

/** The time in milliseconds since 1970, updated each second. */
export const useNow = () => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), secondMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Formats the current duration of a call. */
export const formatElapsed = (now: number, { startedAt, mayBeEarlier }: TimedCall) => {
  const durationText = formatDuration(Math.max(0, Math.floor((now - startedAt) / secondMs)))
  return mayBeEarlier ? messages.minimumDuration(durationText) : durationText
}

/** Formats a status: 'in-progress' becomes 'In progress'. */
export const formatStatus = (status: string | undefined) => capitalize((status ?? '').replaceAll('-', ' '))

const formatParties = ({ from, to }: LiveCall) => [formatPhoneNumber(from ?? ''), formatPhoneNumber(to ?? '')] as const

const HangUpDialog = ({ call, onClose }: { call: LiveCall; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const { account_sid = '', call_sid = '' } = call
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
      question={messages.hangUp(...formatParties(call))}
      confirmLabel="Hang up"
      pending={isPending}
      {...(error ? { error: getErrorMessage(error) } : {})}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  )
}

/** Hangs up a call after a question. Absent if the user may not, or if the call has no SID. */
export const HangUpButton = ({ call }: { call: LiveCall }) => {
  const provider = useProviderSid()
  const can = useCan()
  const [isAsking, setIsAsking] = useState(false)
  const { account_sid = null, call_sid } = call
  if (!call_sid || !can('update', 'live_call', { account_sid, service_provider_sid: provider })) return null
  return (
    <>
      <Button
        size="sm"
        icon={PhoneOff}
        aria-label={`Hang up ${formatParties(call).join(' to ')}`}
        onClick={() => setIsAsking(true)}
      >
        Hang up
      </Button>
      {isAsking ? <HangUpDialog call={call} onClose={() => setIsAsking(false)} /> : null}
    </>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { StoredRecording } from '@trunkline/contract/calls/recording'
import { messages } from '@trunkline/contract/messages/recording'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Problem, getErrorMessage } from '../../../lib/problem'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog'
import { toast } from '../../../ui/feedback/toast'
import css from './player.module.css'
import { removeSound, soundKey } from './recording-source'

/** Deletes a recording after a confirmation that names its call. */
export const RemoveRecording = ({ stored, call_sid }: { stored: StoredRecording; call_sid: string }) => {
  const [asking, setAsking] = useState(false)
  const cache = useQueryClient()
  const forget = () => cache.setQueryData(soundKey(stored), null)
  const removing = useMutation({
    mutationFn: () => removeSound(stored),
    onSuccess: () => {
      toast.ok(messages.removed)
      forget()
    },
    onError: (error) => {
      // another user already deleted it, and the toast reported that
      if (error instanceof Problem && error.status === 404) forget()
    },
  })
  return (
    <>
      <Button icon={Trash2} size="sm" variant="borderless" onClick={() => setAsking(true)}>
        <span className={css.words}>{messages.remove}</span>
      </Button>
      <ConfirmDialog
        opened={asking}
        title={messages.remove}
        question={messages.confirmRemoval(call_sid)}
        confirm="Delete"
        pending={removing.isPending}
        error={removing.error ? getErrorMessage(removing.error) : undefined}
        onConfirm={() => removing.mutate()}
        onClose={() => {
          setAsking(false)
          removing.reset()
        }}
      />
    </>
  )
}

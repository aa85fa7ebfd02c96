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
import { deleteRecording, recordingKey } from './recording-source'

/** Deletes a recording after a confirmation that names its call. */
export const RemoveRecording = ({ stored, call_sid }: { stored: StoredRecording; call_sid: string }) => {
  const [isConfirming, setIsConfirming] = useState(false)
  const queryClient = useQueryClient()
  const clearCache = () => queryClient.setQueryData(recordingKey(stored), null)
  const removal = useMutation({
    mutationFn: () => deleteRecording(stored),
    onSuccess: () => {
      toast.ok(messages.removed)
      clearCache()
    },
    onError: (error) => {
      // another user already deleted it, and the toast reported that
      if (error instanceof Problem && error.status === 404) clearCache()
    },
  })
  return (
    <>
      <Button icon={Trash2} size="sm" variant="borderless" onClick={() => setIsConfirming(true)}>
        <span className={css.buttonLabel}>{messages.remove}</span>
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        title={messages.remove}
        question={messages.confirmRemoval(call_sid)}
        confirmLabel="Delete"
        pending={removal.isPending}
        error={removal.error ? getErrorMessage(removal.error) : undefined}
        onConfirm={() => removal.mutate()}
        onClose={() => {
          setIsConfirming(false)
          removal.reset()
        }}
      />
    </>
  )
}

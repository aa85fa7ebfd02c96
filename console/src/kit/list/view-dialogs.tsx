import { messages } from '@trunkline/contract/messages/saved-view'
import { useRef, useState, type FormEvent } from 'react'
import { getErrorMessage } from '../../lib/problem'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { FormDialog } from '../../ui/dialog/form-dialog'
import { TextField } from '../../ui/form/text-field'

const maxNameLength = 64

/** Runs a request of a dialog, closes the dialog after it, and returns the error if it fails. */
const useDialogRequest = (onClose: () => void) => {
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string>()
  const run = async (send: () => Promise<void>) => {
    setPending(true)
    setError(undefined)
    try {
      await send()
      onClose()
    } catch (failure) {
      setError(getErrorMessage(failure))
      setPending(false)
    }
  }
  return { pending, error, setError, run }
}

export interface ViewNameDialogProps {
  title: string
  initialName?: string
  onSave: (name: string) => Promise<void>
  onClose: () => void
}

/** Asks for the name of a view. */
export const ViewNameDialog = ({ title, initialName = '', onSave, onClose }: ViewNameDialogProps) => {
  const [name, setName] = useState(initialName)
  const input = useRef<HTMLInputElement>(null)
  const { pending, error, setError, run } = useDialogRequest(onClose)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // the dialog is in a portal: React would pass the event to a form around the list
    event.stopPropagation()
    if (pending) return
    if (name.trim() === '') setError(messages.nameRequired)
    else await run(() => onSave(name.trim()))
    input.current?.focus()
  }
  return (
    <FormDialog
      opened
      title={title}
      description={messages.contents}
      submitLabel="Save"
      pending={pending}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <TextField
        ref={input}
        label="Name"
        withAsterisk
        required
        data-autofocus
        maxLength={maxNameLength}
        autoComplete="off"
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setError(undefined)
        }}
      />
    </FormDialog>
  )
}

export interface RemoveViewDialogProps {
  name: string
  onRemove: () => Promise<void>
  onClose: () => void
}

/** Asks before a view is deleted. */
export const RemoveViewDialog = ({ name, onRemove, onClose }: RemoveViewDialogProps) => {
  const { pending, error, run } = useDialogRequest(onClose)
  return (
    <ConfirmDialog
      opened
      title="Delete view"
      question={messages.removeQuestion(name)}
      confirmLabel="Delete"
      pending={pending}
      error={error}
      onConfirm={() => void run(onRemove)}
      onClose={onClose}
    />
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { messages as formMessages } from '@trunkline/contract/messages/form'
import { messages } from '@trunkline/contract/messages/service-provider'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import { useState, type FormEvent } from 'react'
import { focusFirstInvalid } from '../kit/form/form-focus'
import { useSaveRecord } from '../kit/record/record-mutations'
import { uniqueProviderName, rethrowDuplicate } from '../kit/form/duplicate-value'
import { useUnsavedInput } from '../kit/form/use-unsaved-input'
import { Problem, getErrorMessage } from '../lib/problem'
import { providersQuery } from '../session/current-provider'
import { FormDialog } from '../ui/dialog/form-dialog'
import { TextField } from '../ui/form/text-field'
import { toast } from '../ui/feedback/toast'

/** The dialog that adds a service provider and makes it the current one. */
export const AddProvider = ({ onClose, onAdded }: { onClose: () => void; onAdded: (sid: string) => void }) => {
  const [name, setName] = useState('')
  const [nameError, setNameError] = useState<string>()
  const save = useSaveRecord(serviceProvider)
  const queryClient = useQueryClient()
  useUnsavedInput({
    dialog: 'add-provider',
    getUnsavedInput: () => (name === '' ? undefined : { values: { name }, initialValues: {} }),
    restore: ({ values }) => {
      setName(String(values.name))
      toast.ok(formMessages.restored)
    },
  })
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const form = event.currentTarget
    const showNameError = (message: string) => {
      setNameError(message)
      focusFirstInvalid(form)
    }
    const draft = { name: name.trim() }
    if (draft.name === '') return showNameError('Name is required.')
    try {
      const sid = await save.mutateAsync({ draft }).catch(rethrowDuplicate(uniqueProviderName))
      await queryClient.refetchQueries({ queryKey: providersQuery.queryKey })
      toast.ok(messages.added(draft.name))
      onClose()
      onAdded(sid)
    } catch (error) {
      if (error instanceof Problem && error.hasEndedSession) return
      toast.bad(getErrorMessage(error))
      showNameError(getErrorMessage(error))
    }
  }
  return (
    <FormDialog
      opened
      title="Add service provider"
      description="A service provider has its own accounts, carriers and users."
      submitLabel="Add"
      pending={save.isPending}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        withAsterisk
        required
        data-autofocus
        maxLength={64}
        autoComplete="off"
        value={name}
        error={nameError}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setNameError(undefined)
        }}
      />
    </FormDialog>
  )
}

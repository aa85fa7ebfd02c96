import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/service-provider'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import { useState, type FormEvent } from 'react'
import { useSave } from '../kit/record'
import { providerName, sayTaken } from '../kit/taken'
import { sayProblem } from '../lib/problem'
import { providersQuery } from '../session/provider'
import { FormDialog } from '../ui/form-dialog'
import { TextInput } from '../ui/inputs'
import { toast } from '../ui/toast'

/** Asks for the name of a new service provider, adds it and makes it the current one. */
export const AddProvider = ({ onClose, onAdded }: { onClose: () => void; onAdded: (sid: string) => void }) => {
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const save = useSave(serviceProvider, { quiet: true })
  const cache = useQueryClient()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const draft = { name: name.trim() }
    if (draft.name === '') return setFault('Name is required.')
    try {
      const sid = await save.mutateAsync({ draft }).catch(sayTaken(providerName))
      await cache.refetchQueries({ queryKey: providersQuery.queryKey })
      toast.ok(messages.added(draft.name))
      onClose()
      onAdded(sid)
    } catch (error) {
      setFault(sayProblem(error))
    }
  }
  return (
    <FormDialog
      opened
      title="Add service provider"
      lede="A service provider has its own accounts, carriers and users."
      submit="Add"
      pending={save.isPending}
      error={undefined}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        withAsterisk
        aria-required
        data-autofocus
        maxLength={64}
        autoComplete="off"
        value={name}
        error={fault}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setFault(undefined)
        }}
      />
    </FormDialog>
  )
}

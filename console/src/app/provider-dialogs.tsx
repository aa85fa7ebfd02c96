import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/service-provider'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { RemoveDialog } from '../kit/remove-dialog'
import { useSave } from '../kit/record'
import { sayTaken } from '../kit/taken'
import { sayProblem } from '../lib/problem'
import { kept } from '../lib/storage'
import { landingOf } from '../session/landing'
import { chooseProvider, providersQuery } from '../session/provider'
import { useActor } from '../session/session'
import { FormDialog } from '../ui/form-dialog'
import { TextInput } from '../ui/inputs'
import { toast } from '../ui/toast'

const nameTaken = { field: 'name', sign: 'name', message: messages.nameTaken }

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
      const sid = await save.mutateAsync({ draft }).catch(sayTaken(nameTaken))
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

export interface RemoveProviderProps {
  provider: ServiceProvider
  /** The one that is looked at when this one is gone: the first of the others by name. */
  next: ServiceProvider | undefined
  onClose: () => void
}

/** Deletes the current service provider after a question. */
export const RemoveProvider = ({ provider, next, onClose }: RemoveProviderProps) => {
  const actor = useActor()
  const router = useRouter()
  const [row, setRow] = useState<ServiceProvider | undefined>(provider)
  const leave = () => {
    // at once: what is on screen is asked anew right after, and must no longer belong to the one that is gone
    flushSync(() => (next ? chooseProvider(next.service_provider_sid) : kept.provider.clear()))
    return router.navigate({ to: landingOf(actor) })
  }
  return (
    <RemoveDialog
      of={serviceProvider}
      row={row}
      removed={({ name }) => messages.removed(name)}
      leave={leave}
      onClose={() => {
        setRow(undefined)
        onClose()
      }}
    />
  )
}

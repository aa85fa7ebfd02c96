import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/api-key'
import { apiKey } from '@trunkline/contract/resources/api-key'
import { useState, type FormEvent } from 'react'
import { capabilitiesQuery } from '../lib/server-capabilities'
import { request } from '../lib/client'
import { getErrorMessage } from '../lib/problem'
import { formatDate } from '../lib/time'
import { Button } from '../ui/button'
import { Select } from '../ui/form/select'
import { CopyField } from '../ui/copy'
import { Dialog } from '../ui/dialog/dialog'
import { FormDialog } from '../ui/dialog/form-dialog'
import { TextField } from '../ui/form/text-field'
import { toast } from '../ui/feedback/toast'
import css from './api-keys.module.css'
import { expiryOptions, getExpiry, toDateInput } from './api-key-expiry'
import { focusFirstInvalid } from '../kit/form/form-focus'
import { useRecordAction } from '../kit/record/record-mutations'

/** The account or service provider that the key acts as. */
export type ApiKeyOwner =
  { account_sid: string; service_provider_sid: string } | { account_sid: null; service_provider_sid: string }

interface NewApiKeyProps {
  owner: ApiKeyOwner
  onClose: () => void
}

/** Shows the token of the new key, ready to copy. */
const CreatedKey = ({ token, onClose }: { token: string; onClose: () => void }) => (
  <Dialog
    opened
    onClose={onClose}
    title="New API key"
    footer={
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    }
  >
    <p className={css.description}>Copy the key to the program that uses it. Store it like a password.</p>
    <CopyField label="API key" text={token} />
  </Dialog>
)

interface ExpiryFieldsProps {
  choice: string
  date: string
  expiry: Date | undefined
  error: string | undefined
  onChoice: (choice: string) => void
  onDate: (date: string) => void
}

const getExpiryHelp = (choice: string, expiry: Date | undefined): string => {
  if (choice === 'date') return 'The key stops working at the end of that day.'
  return expiry ? messages.expires(formatDate(expiry.toISOString())) : messages.neverExpires
}

const ExpiryFields = ({ choice, date, expiry, error, onChoice, onDate }: ExpiryFieldsProps) => (
  <>
    <Select
      label="Expiry"
      options={expiryOptions}
      value={choice}
      onChange={onChoice}
      help={getExpiryHelp(choice, expiry)}
    />
    {choice === 'date' ? (
      <TextField
        label="Expiry date"
        type="date"
        required
        min={toDateInput(new Date())}
        value={date}
        {...(error ? { error } : {})}
        onChange={({ currentTarget }) => onDate(currentTarget.value)}
      />
    ) : null}
  </>
)

/** The dialog that creates an API key with an expiry date and shows its token. */
export const NewApiKey = ({ owner, onClose }: NewApiKeyProps) => {
  const [name, setName] = useState('')
  const [choice, setChoice] = useState('')
  const [date, setDate] = useState('')
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [token, setToken] = useState<string>()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const create = useRecordAction('api_key', (expiry: Date | undefined) =>
    request(apiKey.create, {
      body: {
        ...(owner.account_sid === null ? owner : { account_sid: owner.account_sid }),
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(expiry ? { expires_at: expiry.toISOString() } : {}),
      },
    }),
  )
  const expiry = getExpiry(choice, date)
  const isInvalid = choice === 'date' && (!expiry || expiry <= new Date())
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // This dialog is inside another form, which must not be submitted as well.
    event.stopPropagation()
    setWasSubmitted(true)
    if (isInvalid) return focusFirstInvalid(event.currentTarget)
    create.mutate(expiry, {
      onSuccess: (created) => {
        toast.ok(messages.added)
        setToken(created.token)
      },
    })
  }
  if (token !== undefined) return <CreatedKey token={token} onClose={onClose} />
  return (
    <FormDialog
      opened
      title="Create API key"
      description={messages.permissions(owner.account_sid === null ? 'service provider' : 'account')}
      submitLabel="Create"
      pending={create.isPending}
      error={create.error ? getErrorMessage(create.error) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      {capabilities?.keyName ? (
        <TextField
          label="Name"
          autoFocus
          help={messages.nameHelp}
          autoComplete="off"
          maxLength={64}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      ) : null}
      {capabilities?.keyExpiry ? (
        <ExpiryFields
          {...{ choice, date, expiry }}
          error={wasSubmitted && isInvalid ? 'Choose a date in the future.' : undefined}
          onChoice={setChoice}
          onDate={setDate}
        />
      ) : null}
    </FormDialog>
  )
}

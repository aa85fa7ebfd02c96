import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/account'
import { account } from '@trunkline/contract/resources/account'
import type { Account } from '@trunkline/contract/shapes/account'
import { Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { focusFirstInvalid } from '../../kit/form/form-focus'
import { groupDependents, selectBlockingDependents, type DependentRecord } from '../../kit/record/dependents'
import { fetchLatestDependents } from '../../kit/record/use-dependents'
import { requestUntyped } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { Problem, getErrorMessage } from '../../lib/problem'
import { meQuery } from '../../session/me-query'
import { endSessionLocally, useCan } from '../../session/session'
import { Button } from '../../ui/button'
import { FormDialog } from '../../ui/dialog/form-dialog'
import { InUseDialog } from '../../ui/dialog/in-use-dialog'
import { PasswordField, TextField } from '../../ui/form/text-field'
import { toast } from '../../ui/feedback/toast'
import { createAccountListPaths, hasPaidSubscription } from './account-removal'
import { loadAccountDependents } from './lazy-dependents'

const { confirmationPhrase, wrongPhrase } = messages.removeOwn

interface FieldErrors {
  confirmation?: string
  password?: string
  form?: string
}

/**
 * Assigns the error to the password field if the server's field or message refers to the password, otherwise to the
 * form.
 */
const toFieldErrors = (error: unknown): FieldErrors => {
  if (error instanceof Problem && error.hasEndedSession) return {}
  const text = getErrorMessage(error)
  const isAboutPassword = error instanceof Problem && (error.field === 'password' || /password/i.test(text))
  return isAboutPassword ? { password: text } : { form: text }
}

interface RemoveAccountDialogProps {
  row: Account
  onClose: () => void
  /** Called instead of deleting the account, if other records prevent the deletion. */
  onDependents: (dependents: DependentRecord[]) => void
}

/** The input of the dialog, its errors, and the deletion of the account. */
const useAccountRemoval = ({ row, onDependents }: Pick<RemoveAccountDialogProps, 'row' | 'onDependents'>) => {
  const [confirmation, setConfirmation] = useState('')
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isPending, setIsPending] = useState(false)
  const { data } = useQuery(meQuery)
  const cache = useQueryClient()
  // users of an external identity provider have no password here
  const hasPassword = (data?.user.provider ?? 'local') === 'local'

  const removeAccount = async () => {
    // in a hosted installation, the account's records are deleted with it; elsewhere, users must delete them first
    const dependents = getFeatureFlags().hosted
      ? []
      : await fetchLatestDependents(cache, account, row, loadAccountDependents)
    const blockingDependents = selectBlockingDependents(dependents)
    if (blockingDependents.length > 0) return onDependents(blockingDependents)
    await requestUntyped(account.remove, {
      params: { account_sid: row.account_sid },
      body: hasPassword ? { password } : {},
    })
    toast.ok(messages.removed(row.name))
    endSessionLocally()
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // the dialog is inside the account's form
    event.stopPropagation()
    const inputErrors: FieldErrors = {
      ...(confirmation === confirmationPhrase ? {} : { confirmation: wrongPhrase }),
      ...(hasPassword && password === '' ? { password: 'Password is required.' } : {}),
    }
    const form = event.currentTarget
    const showErrors = (nextErrors: FieldErrors) => {
      setErrors(nextErrors)
      focusFirstInvalid(form)
    }
    if (Object.keys(inputErrors).length > 0) return showErrors(inputErrors)
    setErrors({})
    setIsPending(true)
    await removeAccount().catch((error: unknown) => showErrors(toFieldErrors(error)))
    setIsPending(false)
  }
  return { confirmation, setConfirmation, password, setPassword, hasPassword, errors, isPending, submit }
}

const RemoveAccountDialog = ({ row, onClose, onDependents }: RemoveAccountDialogProps) => {
  const { confirmation, setConfirmation, password, setPassword, hasPassword, errors, isPending, submit } =
    useAccountRemoval({ row, onDependents })
  return (
    <FormDialog
      opened
      title="Delete account"
      description={
        <>
          This deletes the account <strong>{row.name}</strong> and everything in it, and ends your session. To continue,
          type <strong>{confirmationPhrase}</strong>.
          {hasPaidSubscription(row) ? ` ${messages.removalCancelsSubscription}` : null}
        </>
      }
      submitLabel="Delete"
      tone="danger"
      pending={isPending}
      error={errors.form}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <TextField
        label="Delete message"
        withAsterisk
        required
        data-autofocus
        autoComplete="off"
        placeholder={confirmationPhrase}
        value={confirmation}
        error={errors.confirmation}
        onChange={(event) => setConfirmation(event.currentTarget.value)}
      />
      {hasPassword ? (
        <PasswordField
          label="Password"
          withAsterisk
          required
          autoComplete="current-password"
          value={password}
          error={errors.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      ) : null}
    </FormDialog>
  )
}

/** Deletes the signed-in user's account. The user types a confirmation and the password. */
export const RemoveOwnAccount = ({ row }: { row: Account }) => {
  const can = useCan()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const [dependents, setDependents] = useState<DependentRecord[]>()
  if (!can('remove', 'account', row)) return null
  return (
    <>
      <Button icon={Trash2} onClick={() => setIsDialogOpen(true)}>
        Delete
      </Button>
      {isDialogOpen ? (
        <RemoveAccountDialog
          row={row}
          onClose={() => setIsDialogOpen(false)}
          onDependents={(accountDependents) => {
            setIsDialogOpen(false)
            setDependents(accountDependents)
          }}
        />
      ) : null}
      <InUseDialog
        opened={dependents !== undefined}
        name={row.name}
        groups={groupDependents(dependents ?? [], createAccountListPaths(''))}
        onClose={() => setDependents(undefined)}
      />
    </>
  )
}

import { messages } from '@trunkline/contract/messages/user'
import { user } from '@trunkline/contract/resources/user'
import { findPasswordErrors, type PasswordRule } from '@trunkline/contract/session/password'
import { useState, type FormEvent } from 'react'
import { focusFirstInvalid } from '../../kit/form/form-focus'
import { PasswordRules } from '../../panels/password-rules'
import { request } from '../../lib/client'
import { Problem, getErrorMessage } from '../../lib/problem'
import { Button } from '../../ui/button'
import { FormDialog } from '../../ui/dialog/form-dialog'
import { PasswordField } from '../../ui/form/text-field'
import { toast } from '../../ui/feedback/toast'

interface FieldErrors {
  oldPassword?: string
  newPassword?: string
  form?: string
}

/** Assigns the error to a field. Servers refuse a wrong password with an empty 403. */
const toFieldErrors = (error: unknown): FieldErrors => {
  if (error instanceof Problem && error.hasEndedSession) return {}
  if (error instanceof Problem && error.status === 403) return { oldPassword: messages.ownUser.wrongPassword }
  if (error instanceof Problem && error.field === 'new_password') return { newPassword: getErrorMessage(error) }
  return { form: getErrorMessage(error) }
}

interface ChangeOwnPasswordProps {
  user_sid: string
  passwordRule: PasswordRule
}

const ChangePasswordDialog = ({
  user_sid,
  passwordRule,
  onClose,
}: ChangeOwnPasswordProps & { onClose: () => void }) => {
  const [old_password, setOldPassword] = useState('')
  const [new_password, setNewPassword] = useState('')
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isPending, setIsPending] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // the dialog is inside the user's form
    event.stopPropagation()
    const form = event.currentTarget
    const showErrors = (nextErrors: FieldErrors) => {
      setErrors(nextErrors)
      focusFirstInvalid(form)
    }
    const inputErrors: FieldErrors = {
      ...(old_password ? {} : { oldPassword: 'Current password is required.' }),
      ...(findPasswordErrors(new_password, passwordRule).length > 0 ? { newPassword: messages.invalidPassword } : {}),
    }
    if (Object.keys(inputErrors).length > 0) return showErrors(inputErrors)
    setIsPending(true)
    try {
      await request(user.update, { params: { user_sid }, body: { old_password, new_password } })
      toast.ok(messages.ownUser.passwordChanged)
      onClose()
    } catch (error) {
      setIsPending(false)
      showErrors(toFieldErrors(error))
    }
  }

  return (
    <FormDialog
      opened
      title="Change password"
      submitLabel="Change password"
      pending={isPending}
      error={errors.form}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <PasswordField
        label="Current password"
        withAsterisk
        required
        data-autofocus
        autoComplete="current-password"
        value={old_password}
        error={errors.oldPassword}
        onChange={(event) => setOldPassword(event.currentTarget.value)}
      />
      <PasswordField
        label="New password"
        withAsterisk
        required
        autoComplete="new-password"
        value={new_password}
        error={errors.newPassword}
        onChange={(event) => setNewPassword(event.currentTarget.value)}
      />
      <PasswordRules rule={passwordRule} password={new_password} />
    </FormDialog>
  )
}

/** Changes the signed-in user's password, also for view-only users. Ends the user's other sessions. */
export const ChangeOwnPassword = (props: ChangeOwnPasswordProps) => {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  return (
    <>
      <div>
        <Button onClick={() => setIsDialogOpen(true)}>Change password</Button>
      </div>
      {isDialogOpen ? <ChangePasswordDialog {...props} onClose={() => setIsDialogOpen(false)} /> : null}
    </>
  )
}

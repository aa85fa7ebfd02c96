import { messages } from '@trunkline/contract/messages/user'
import { user } from '@trunkline/contract/resources/user'
import { passwordErrors, type PasswordRule } from '@trunkline/contract/session/password'
import { useState, type FormEvent } from 'react'
import { focusFirstInvalid } from '../../kit/form/form-focus'
import { PasswordRules } from '../../panels/password-rules'
import { request } from '../../lib/client'
import { Problem, getErrorMessage } from '../../lib/problem'
import { Button } from '../../ui/button'
import { FormDialog } from '../../ui/dialog/form-dialog'
import { PasswordField } from '../../ui/form/text-field'
import { toast } from '../../ui/feedback/toast'

interface Faults {
  old?: string
  next?: string
  form?: string
}

/** Assigns the error to a field. Servers refuse a wrong password with an empty 403. */
const faultsOf = (error: unknown): Faults => {
  if (error instanceof Problem && error.hasEndedSession) return {}
  if (error instanceof Problem && error.status === 403) return { old: messages.ownUser.wrongPassword }
  if (error instanceof Problem && error.field === 'new_password') return { next: getErrorMessage(error) }
  return { form: getErrorMessage(error) }
}

interface Props {
  user_sid: string
  rule: PasswordRule
}

const Asking = ({ user_sid, rule, onClose }: Props & { onClose: () => void }) => {
  const [old_password, setOld] = useState('')
  const [new_password, setNext] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [pending, setPending] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // the dialog is inside the user's form
    event.stopPropagation()
    const form = event.currentTarget
    const refuse = (wrong: Faults) => {
      setFaults(wrong)
      focusFirstInvalid(form)
    }
    const wrong: Faults = {
      ...(old_password ? {} : { old: 'Current password is required.' }),
      ...(passwordErrors(new_password, rule).length > 0 ? { next: messages.invalidPassword } : {}),
    }
    if (Object.keys(wrong).length > 0) return refuse(wrong)
    setPending(true)
    try {
      await request(user.update, { params: { user_sid }, body: { old_password, new_password } })
      toast.ok(messages.ownUser.passwordChanged)
      onClose()
    } catch (error) {
      setPending(false)
      refuse(faultsOf(error))
    }
  }

  return (
    <FormDialog
      opened
      title="Change password"
      submit="Change password"
      pending={pending}
      error={faults.form}
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
        error={faults.old}
        onChange={(event) => setOld(event.currentTarget.value)}
      />
      <PasswordField
        label="New password"
        withAsterisk
        required
        autoComplete="new-password"
        value={new_password}
        error={faults.next}
        onChange={(event) => setNext(event.currentTarget.value)}
      />
      <PasswordRules rule={rule} password={new_password} />
    </FormDialog>
  )
}

/** Changes the user's own password. Any user with the current password may do this. Ends the user's other sessions. */
export const OwnPassword = (props: Props) => {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <div>
        <Button onClick={() => setAsking(true)}>Change password</Button>
      </div>
      {asking ? <Asking {...props} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

import { messages as passwordMessages } from '@trunkline/contract/messages/password'
import { messages } from '@trunkline/contract/messages/session'
import type { PasswordRule } from '@trunkline/contract/session/password'
import { useEffect, useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import { Problem, getErrorMessage } from '../lib/problem'
import { Button } from '../ui/button'
import { FieldMessage } from '../ui/form/field-message'
import { PasswordField } from '../ui/form/text-field'
import { toast } from '../ui/feedback/toast'
import { describePasswordErrors, NewPasswordField } from './password-rules'
import { waitForPointerRelease } from '../kit/record/pointer-press'

const useCapsLock = () => {
  const [isOn, setIsOn] = useState(false)
  useEffect(() => {
    const update = (event: KeyboardEvent) => setIsOn(event.getModifierState('CapsLock'))
    document.addEventListener('keydown', update)
    document.addEventListener('keyup', update)
    return () => {
      document.removeEventListener('keydown', update)
      document.removeEventListener('keyup', update)
    }
  }, [])
  return isOn
}

/** The two inputs of the form. */
type Field = 'password' | 'confirmation'

export interface NewPasswordProps {
  rule: PasswordRule
  /** The error message if the two entries differ. */
  mismatch?: string
  /** Validates the password before the installation's rule does. Returns an error message. */
  findError?: (password: string) => string | undefined
  /** Returns a warning about an acceptable password, shown on blur. */
  findWarning?: (password: string) => string | undefined
  /** The label of the button; defaults to 'Save'. */
  submitLabel?: string
  /** Saves the password and continues. This component shows its errors. */
  onSave: (password: string) => Promise<void>
}

/** The state of the form: both inputs, their validation, and saving. */
const useNewPassword = ({ rule, mismatch = passwordMessages.differ, findError, onSave }: NewPasswordProps) => {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [fieldError, setFieldError] = useState<{ field: Field; text: string }>()
  const [pending, setPending] = useState(false)
  const inputs = { password: useRef<HTMLInputElement>(null), confirmation: useRef<HTMLInputElement>(null) }

  const showError = (field: Field, text: string) => {
    setFieldError({ field, text })
    inputs[field].current?.focus()
  }
  const showSaveError = (error: unknown) => {
    if (error instanceof Problem && error.hasEndedSession) return
    if (error instanceof Problem && error.field === 'new_password') showError('password', error.msg)
    else toast.bad(getErrorMessage(error))
  }
  const findPasswordError = () => findError?.(password) ?? describePasswordErrors(password, rule)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (pending) return
    const passwordError = findPasswordError()
    if (passwordError) return showError('password', passwordError)
    if (password !== confirmation) return showError('confirmation', mismatch)
    setPending(true)
    try {
      await onSave(password)
    } catch (error) {
      setPending(false)
      showSaveError(error)
    }
  }
  const setters = { password: setPassword, confirmation: setConfirmation }
  const bindField = (field: Field) => ({
    ref: inputs[field],
    value: field === 'password' ? password : confirmation,
    error: fieldError?.field === field ? fieldError.text : undefined,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      setters[field](currentTarget.value)
      setFieldError(undefined)
    },
  })
  return { pending, submit, bindField }
}

/** The form for a new password, typed twice and checked against the installation's rule. */
export const NewPassword = (props: NewPasswordProps) => {
  const { rule, findWarning, submitLabel = 'Save' } = props
  const { pending, submit, bindField } = useNewPassword(props)
  const [warning, setWarning] = useState<string>()
  const isCapsLockOn = useCapsLock()
  const passwordField = bindField('password')
  const updateWarning = () => setWarning(findWarning?.(passwordField.value))
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <NewPasswordField
        label="New password"
        rule={rule}
        autoFocus
        {...passwordField}
        onChange={(event) => {
          passwordField.onChange(event)
          setWarning(undefined)
        }}
        onBlur={() => void (waitForPointerRelease()?.then(updateWarning) ?? updateWarning())}
      >
        {findWarning ? (
          <div role="status">{warning ? <FieldMessage tone="warn">{warning}</FieldMessage> : null}</div>
        ) : null}
      </NewPasswordField>
      <div>
        <PasswordField
          showLabel="Show password"
          size="large"
          label="Confirm password"
          autoComplete="new-password"
          required
          {...bindField('confirmation')}
        />
        <div role="status">{isCapsLockOn ? <FieldMessage tone="warn">{messages.capsLock}</FieldMessage> : null}</div>
      </div>
      <Button type="submit" variant="primary" size="lg" block pending={pending}>
        {submitLabel}
      </Button>
    </form>
  )
}

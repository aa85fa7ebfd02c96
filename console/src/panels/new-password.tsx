import { messages } from '@trunkline/contract/messages/session'
import { findPasswordErrors, type PasswordRule } from '@trunkline/contract/session/password'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Problem, getErrorMessage } from '../lib/problem'
import { Button } from '../ui/button'
import { FieldMessage } from '../ui/form/field-message'
import { PasswordField } from '../ui/form/text-field'
import { toast } from '../ui/feedback/toast'
import { PasswordRules } from './password-rules'
import { waitForPointerRelease } from '../kit/record/pointer-press'

const useCapsLock = () => {
  const [on, setOn] = useState(false)
  useEffect(() => {
    const hear = (event: KeyboardEvent) => setOn(event.getModifierState('CapsLock'))
    document.addEventListener('keydown', hear)
    document.addEventListener('keyup', hear)
    return () => {
      document.removeEventListener('keydown', hear)
      document.removeEventListener('keyup', hear)
    }
  }, [])
  return on
}

type Field = 'password' | 'again'

export interface NewPasswordProps {
  rule: PasswordRule
  /** The error message if the two entries differ. */
  mismatch?: string
  /** Validates the password before the installation's rule does. Returns an error message. */
  faultOf?: (password: string) => string | undefined
  /** Returns a warning about an acceptable password, shown on blur. */
  warningOf?: (password: string) => string | undefined
  /** Saves the password and continues. This component shows its errors. */
  onSave: (password: string) => Promise<void>
}

/** The form for a new password, typed twice and checked against the installation's rule. */
export const NewPassword = ({
  rule,
  mismatch = messages.passwordsDiffer,
  faultOf,
  warningOf,
  onSave,
}: NewPasswordProps) => {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const caps = useCapsLock()
  const [fault, setFault] = useState<{ field: Field; text: string }>()
  const [warning, setWarning] = useState<string>()
  const [pending, setPending] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)

  const refuse = (field: Field, text: string) => {
    setFault({ field, text })
    const place = field === 'password' ? first : second
    place.current?.focus()
  }
  const refused = (error: unknown) => {
    if (error instanceof Problem && error.hasEndedSession) return
    if (error instanceof Problem && error.field === 'new_password') refuse('password', error.msg)
    else toast.bad(getErrorMessage(error))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (pending) return
    const refusal = faultOf?.(password)
    if (refusal) return refuse('password', refusal)
    const broken = findPasswordErrors(password, rule)
    if (broken.length > 0) return refuse('password', [messages.passwordRule.title, broken.join(', ')].join(' '))
    if (password !== again) return refuse('again', mismatch)
    setPending(true)
    try {
      await onSave(password)
    } catch (error) {
      setPending(false)
      refused(error)
    }
  }
  const warn = () => setWarning(warningOf?.(password))
  const errorOf = (field: Field) => (fault?.field === field ? fault.text : undefined)
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <div>
        <PasswordField
          showLabel="Show password"
          size="large"
          label="New password"
          autoComplete="new-password"
          autoFocus
          required
          ref={first}
          value={password}
          error={errorOf('password')}
          onChange={(event) => {
            setPassword(event.currentTarget.value)
            setFault(undefined)
            setWarning(undefined)
          }}
          onBlur={() => void (waitForPointerRelease()?.then(warn) ?? warn())}
        />
        {warningOf ? (
          <div role="status">{warning ? <FieldMessage tone="warn">{warning}</FieldMessage> : null}</div>
        ) : null}
      </div>
      <PasswordRules rule={rule} password={password} />
      <PasswordField
        showLabel="Show password"
        size="large"
        label="Confirm password"
        autoComplete="new-password"
        required
        ref={second}
        value={again}
        error={errorOf('again')}
        onChange={(event) => {
          setAgain(event.currentTarget.value)
          setFault(undefined)
        }}
      />
      <div role="status">{caps ? messages.capsLock : null}</div>
      <Button type="submit" variant="primary" size="lg" block pending={pending}>
        Save
      </Button>
    </form>
  )
}

import { useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { Button } from '../../ui/button'
import { TextField, PasswordField } from '../../ui/form/text-field'
import { toast } from '../../ui/feedback/toast'

interface OneFieldFormProps {
  field: 'email' | 'password'
  /** The label of the button. */
  submit: string
  /** Validates the value before it is sent. Returns an error message. */
  check?: (value: string) => string | undefined
  send: (value: string) => Promise<unknown>
  /** Converts a refusal to an error message on the field. Undefined: it becomes a toast. */
  faultOf?: (problem: Problem) => string | undefined
}

/** The form of a page that needs only an e-mail address or a password. */
export const OneFieldForm = ({ field, submit, check, send, faultOf }: OneFieldFormProps) => {
  const [value, setValue] = useState('')
  const [fault, setFault] = useState<string>()
  const [pending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const refuse = (text: string | undefined) => {
    setFault(text)
    input.current?.focus()
  }
  const sendOnce = async () => {
    setPending(true)
    try {
      await send(value)
    } catch (error) {
      const text = error instanceof Problem ? faultOf?.(error) : undefined
      if (text === undefined) toast.bad(getErrorMessage(error))
      refuse(text)
    } finally {
      setPending(false)
    }
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (pending) return
    const text = check?.(value)
    if (text === undefined) void sendOnce()
    else refuse(text)
  }
  const bound = {
    ref: input,
    value,
    error: fault,
    autoFocus: true,
    required: true,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setValue(event.currentTarget.value)
      setFault(undefined)
    },
  }
  return (
    <form noValidate onSubmit={onSubmit}>
      {field === 'email' ? (
        <TextField
          size="large"
          {...bound}
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={255}
        />
      ) : (
        <PasswordField
          showLabel="Show password"
          size="large"
          {...bound}
          label="Password"
          name="password"
          autoComplete="current-password"
        />
      )}
      <Button type="submit" variant="primary" size="lg" block pending={pending}>
        {submit}
      </Button>
    </form>
  )
}

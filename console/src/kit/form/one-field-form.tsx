import { useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { Button } from '../../ui/button'
import { EmailField, PasswordField } from '../../ui/form/text-field'
import { toast } from '../../ui/feedback/toast'

interface OneFieldFormProps {
  field: 'email' | 'password'
  /** The label of the button. */
  submitLabel: string
  /** Validates the value before it is sent. Returns an error message. */
  findError?: (value: string) => string | undefined
  send: (value: string) => Promise<unknown>
  /** Converts a refusal to an error message on the field. Undefined: it becomes a toast. */
  toFieldError?: (problem: Problem) => string | undefined
}

/** The form of a screen that needs only an e-mail address or a password. */
export const OneFieldForm = ({ field, submitLabel, findError, send, toFieldError }: OneFieldFormProps) => {
  const [value, setValue] = useState('')
  const [errorText, setErrorText] = useState<string>()
  const [pending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const showError = (text: string | undefined) => {
    setErrorText(text)
    input.current?.focus()
  }
  const sendValue = async () => {
    setPending(true)
    try {
      await send(value)
    } catch (error) {
      const text = error instanceof Problem ? toFieldError?.(error) : undefined
      if (text === undefined) toast.bad(getErrorMessage(error))
      showError(text)
    } finally {
      setPending(false)
    }
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (pending) return
    const text = findError?.(value)
    if (text === undefined) void sendValue()
    else showError(text)
  }
  const inputProps = {
    ref: input,
    value,
    error: errorText,
    autoFocus: true,
    required: true,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setValue(event.currentTarget.value)
      setErrorText(undefined)
    },
  }
  return (
    <form noValidate onSubmit={onSubmit}>
      {field === 'email' ? (
        <EmailField {...inputProps} />
      ) : (
        <PasswordField
          showLabel="Show password"
          size="large"
          {...inputProps}
          label="Password"
          name="password"
          autoComplete="current-password"
        />
      )}
      <Button type="submit" variant="primary" size="lg" block pending={pending}>
        {submitLabel}
      </Button>
    </form>
  )
}

import { Eye, EyeOff } from 'lucide-react'
import { useId, useState, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'
import { IconButton } from './button'
import { FieldError } from './field-error'
import css from './plain-field.module.css'

export interface PlainFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'size'> {
  label: string
  /** At the right of the label: a link. */
  beside?: ReactNode
  help?: ReactNode
  error?: string
  ref?: Ref<HTMLInputElement>
}

const useParts = ({ id, help, error }: PlainFieldProps) => {
  const made = useId()
  const at = id ?? made
  const described = [help ? `${at}-help` : '', error ? `${at}-error` : ''].filter(Boolean).join(' ')
  return { at, described: described || undefined }
}

/** A text field of the pages before sign-in: looks as any other, but needs nothing of the large library. */
export const PlainField = (props: PlainFieldProps & { end?: ReactNode }) => {
  const { label, beside, help, error, end, id: _id, required, ...input } = props
  const { at, described } = useParts(props)
  return (
    <div className={css.field}>
      <div className={css.row}>
        <label htmlFor={at}>{label}</label>
        {beside}
      </div>
      <div className={css.input} data-invalid={error ? true : undefined}>
        <input
          {...input}
          id={at}
          aria-required={required || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={described}
        />
        {end}
      </div>
      {help ? (
        <span id={`${at}-help`} className={css.help}>
          {help}
        </span>
      ) : null}
      {error ? <FieldError id={`${at}-error`}>{error}</FieldError> : null}
    </div>
  )
}

/** The same for a password, which can be shown. */
export const PlainPassword = (props: PlainFieldProps) => {
  const [open, setOpen] = useState(false)
  return (
    <PlainField
      autoComplete="current-password"
      {...props}
      type={open ? 'text' : 'password'}
      end={
        <IconButton
          icon={open ? EyeOff : Eye}
          size="sm"
          label={open ? 'Hide password' : 'Show password'}
          onClick={() => setOpen(!open)}
        />
      }
    />
  )
}

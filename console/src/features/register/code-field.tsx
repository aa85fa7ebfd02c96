import type { ChangeEvent, Ref } from 'react'
import { Field, useFieldIds } from '../../ui/form/field'
import css from './code-field.module.css'

export const codeLength = 6

interface CodeFieldProps {
  label: string
  /** An error replaces it. */
  help: string
  error: string | undefined
  value: string
  /** Called with the digits of the typed or pasted text. */
  onChange: (digits: string) => void
  ref: Ref<HTMLInputElement>
}

/** One field for a code of six digits, drawn as six places. Blanks and hyphens of a pasted code are removed. */
export const CodeField = ({ label, error, value, onChange, ref, ...props }: CodeFieldProps) => {
  const help = error ? undefined : props.help
  const ids = useFieldIds({ help, error })
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
    onChange(currentTarget.value.replace(/\D/g, '').slice(0, codeLength))
  return (
    <Field ids={ids} label={label} help={help} error={error}>
      <div className={css.places} data-invalid={error ? true : undefined}>
        <input
          ref={ref}
          id={ids.controlId}
          value={value}
          onChange={change}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          autoFocus
          aria-required
          aria-invalid={error ? true : undefined}
          aria-describedby={ids.describedBy}
        />
      </div>
    </Field>
  )
}

import type { InputHTMLAttributes } from 'react'
import { Textarea, TextInput } from '../ui/inputs'
import { useBound, type FieldProps } from './bind'

export interface TextProps extends FieldProps {
  placeholder?: string
  maxLength?: number
  /** Machine words: the monospace face. */
  mono?: boolean
  type?: 'text' | 'email' | 'url' | 'tel'
  autoComplete?: string
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
  autoFocus?: boolean
}

export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** One line of text. */
export const Text = (props: TextProps) => {
  const { label, required, help, mono, placeholder, maxLength, type, autoComplete = 'off', inputMode } = props
  const { field, value, error, readOnly } = useBound(props)
  return (
    <TextInput
      {...field}
      value={asText(value)}
      label={label}
      withAsterisk={required && !readOnly}
      aria-required={required || undefined}
      description={help}
      error={error}
      readOnly={readOnly}
      placeholder={readOnly ? undefined : placeholder}
      maxLength={maxLength}
      type={type}
      autoComplete={autoComplete}
      inputMode={inputMode}
      data-mono={mono || undefined}
      autoFocus={props.autoFocus}
    />
  )
}

/** Several lines of text. */
export const LongText = (props: TextProps) => {
  const { label, required, help, mono, placeholder, maxLength } = props
  const { field, value, error, readOnly } = useBound(props)
  return (
    <Textarea
      {...field}
      value={asText(value)}
      label={label}
      withAsterisk={required && !readOnly}
      aria-required={required || undefined}
      description={help}
      error={error}
      readOnly={readOnly}
      placeholder={readOnly ? undefined : placeholder}
      maxLength={maxLength}
      spellCheck={!mono}
      data-mono={mono || undefined}
    />
  )
}

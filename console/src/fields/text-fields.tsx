import type { InputHTMLAttributes } from 'react'
import { TextArea } from '../ui/form/text-area'
import { TextField } from '../ui/form/text-field'
import { useTextInputProps, type TextInputFieldProps } from './use-text-input-props'

export interface FormTextFieldProps extends TextInputFieldProps {
  /** Uses the monospace font, for technical values. */
  mono?: boolean
  type?: 'text' | 'email' | 'url' | 'tel'
  autoComplete?: string
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
  autoFocus?: boolean
}

/** One line of text. */
export const FormTextField = ({
  mono,
  type,
  autoComplete = 'off',
  inputMode,
  autoFocus,
  ...props
}: FormTextFieldProps) => (
  <TextField
    {...useTextInputProps(props)}
    type={type}
    autoComplete={autoComplete}
    inputMode={inputMode}
    mono={mono}
    autoFocus={autoFocus}
  />
)

/** Several lines of text. */
export const FormTextArea = ({
  mono,
  ...props
}: Omit<FormTextFieldProps, 'type' | 'autoComplete' | 'inputMode' | 'autoFocus'>) => (
  <TextArea {...useTextInputProps(props)} spellCheck={!mono} mono={mono} />
)

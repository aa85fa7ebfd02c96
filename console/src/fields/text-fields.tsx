import type { InputHTMLAttributes } from 'react'
import { TextArea } from '../ui/form/text-area'
import { TextField } from '../ui/form/text-field'
import { useTyped, type TypedProps } from './use-typed-field'

export interface TextProps extends TypedProps {
  /** Uses the monospace font, for technical values. */
  mono?: boolean
  type?: 'text' | 'email' | 'url' | 'tel'
  autoComplete?: string
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
  autoFocus?: boolean
}

/** One line of text. */
export const Text = ({ mono, type, autoComplete = 'off', inputMode, autoFocus, ...props }: TextProps) => (
  <TextField
    {...useTyped(props)}
    type={type}
    autoComplete={autoComplete}
    inputMode={inputMode}
    mono={mono}
    autoFocus={autoFocus}
  />
)

/** Several lines of text. */
export const LongText = ({ mono, ...props }: Omit<TextProps, 'type' | 'autoComplete' | 'inputMode' | 'autoFocus'>) => (
  <TextArea {...useTyped(props)} spellCheck={!mono} mono={mono} />
)

import type { InputHTMLAttributes } from 'react'
import { Textarea, TextInput } from '../ui/inputs'
import { useTyped, type TypedProps } from './typed'

export interface TextProps extends TypedProps {
  /** Machine words: the monospace face. */
  mono?: boolean
  type?: 'text' | 'email' | 'url' | 'tel'
  autoComplete?: string
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
  autoFocus?: boolean
}

/** One line of text. */
export const Text = ({ mono, type, autoComplete = 'off', inputMode, autoFocus, ...props }: TextProps) => (
  <TextInput
    {...useTyped(props)}
    type={type}
    autoComplete={autoComplete}
    inputMode={inputMode}
    data-mono={mono || undefined}
    autoFocus={autoFocus}
  />
)

/** Several lines of text. */
export const LongText = ({ mono, ...props }: Omit<TextProps, 'type' | 'autoComplete' | 'inputMode' | 'autoFocus'>) => (
  <Textarea {...useTyped(props)} spellCheck={!mono} data-mono={mono || undefined} />
)

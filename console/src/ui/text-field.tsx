import { Eye, EyeOff } from 'lucide-react'
import { useState, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'
import { IconButton } from './button'
import { Field, useFieldIds, type FieldParts } from './field'
import css from './text-field.module.css'

type InputAttributes = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'size' | 'id'>

export interface TextFieldProps extends FieldParts, InputAttributes {
  /** 'large' on the pages before sign-in. */
  size?: 'normal' | 'large'
  /** Addresses, numbers and keys: the monospace font. */
  mono?: boolean
  /** Buttons inside the box, after the text. */
  end?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** One line of text. */
export const TextField = (props: TextFieldProps) => {
  const { id, label, beside, withAsterisk, help, error, size = 'normal', mono, end, required, ...input } = props
  const ids = useFieldIds({ id, help, error })
  return (
    <Field {...{ ids, label, beside, withAsterisk, help, error }}>
      <div className={css.box} data-size={size} data-mono={mono || undefined} data-invalid={error ? true : undefined}>
        <input
          aria-required={required || undefined}
          {...input}
          id={ids.controlId}
          aria-invalid={error ? true : undefined}
          aria-describedby={ids.describedBy}
        />
        {end}
      </div>
    </Field>
  )
}

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'end'> {
  /** The name of the button that shows the characters: 'Show Auth token' unless given. */
  showLabel?: string
  /** Further buttons after the one that shows the characters. */
  end?: ReactNode
  /** The characters cannot be shown: there is nothing behind the dots. */
  hideToggle?: boolean
}

/** A secret: dots, shown on demand. */
export const PasswordField = ({ showLabel, end, hideToggle, ...props }: PasswordFieldProps) => {
  const [isVisible, setVisible] = useState(false)
  return (
    <TextField
      autoComplete="current-password"
      {...props}
      type={isVisible ? 'text' : 'password'}
      end={
        <>
          {hideToggle ? null : (
            <IconButton
              icon={isVisible ? EyeOff : Eye}
              glyph={props.size === 'large' ? undefined : 14}
              size="sm"
              label={showLabel ?? `Show ${props.label}`}
              aria-pressed={isVisible}
              onClick={() => setVisible(!isVisible)}
            />
          )}
          {end}
        </>
      }
    />
  )
}

import { Eye, EyeOff } from 'lucide-react'
import { useState, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'
import { IconButton } from '../button'
import { Field, useFieldIds, type FieldOptions } from './field'
import css from './text-field.module.css'

type InputAttributes = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'size' | 'id'>

export interface TextFieldProps extends FieldOptions, InputAttributes {
  /** 'large' on the sign-in screens. */
  size?: 'normal' | 'large'
  /** Uses the monospace font, for addresses, numbers and keys. */
  mono?: boolean
  /** Buttons inside the input box, after the text. */
  end?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** A field for one line of text. */
export const TextField = (props: TextFieldProps) => {
  const { id, label, labelAside, withAsterisk, help, error, size = 'normal', mono, end, required, ...input } = props
  const ids = useFieldIds({ id, help, error })
  return (
    <Field {...{ ids, label, labelAside, withAsterisk, help, error }}>
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

/** The email address of a user on the sign-in screens. */
export const EmailField = (props: Omit<TextFieldProps, 'label' | 'size' | 'type'>) => (
  <TextField
    {...props}
    size="large"
    label="Email"
    name="email"
    type="email"
    inputMode="email"
    autoComplete="email"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={255}
  />
)

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'end'> {
  /** Label of the button that reveals the characters; defaults to 'Show' and the field label. */
  showLabel?: string
  /** Additional buttons after the reveal button. */
  end?: ReactNode
  /** Hides the reveal button, for a field that contains no real secret. */
  hideToggle?: boolean
}

/** A field for a secret: masked, with a button that reveals it. */
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
              iconSize={props.size === 'large' ? undefined : 14}
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

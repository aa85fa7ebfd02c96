import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import boxCss from '../check-mark.module.css'
import css from './checkbox.module.css'
import { useFieldIds } from './field'
import { FieldNotes } from './field-message'

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type' | 'id'> {
  label: ReactNode
  help?: ReactNode
  error?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** A checkbox with its label beside it. */
export const Checkbox = ({ label, help, error, ...input }: CheckboxProps) => {
  const ids = useFieldIds({ help, error })
  return (
    <div className={css.checkbox}>
      <input
        {...input}
        id={ids.controlId}
        type="checkbox"
        className={boxCss.box}
        data-invalid={error ? true : undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={ids.describedBy}
      />
      <div className={css.text}>
        <label htmlFor={ids.controlId}>{label}</label>
        <FieldNotes ids={ids} help={help} error={error} />
      </div>
    </div>
  )
}

import { useId, type ReactNode } from 'react'
import css from './field.module.css'
import { FieldNotes } from './field-message'

/** Label, help and error: the props that all form fields share. */
export interface FieldOptions {
  id?: string
  label: string
  /** Shown at the right of the label: a link. */
  labelAside?: ReactNode
  /** Adds an asterisk to the label; the control itself needs `aria-required`. */
  withAsterisk?: boolean
  help?: ReactNode
  error?: ReactNode
}

/** Returns the ids that connect a control with its label, help and error. */
export const useFieldIds = ({ id, help, error }: Pick<FieldOptions, 'id' | 'help' | 'error'>) => {
  const generatedId = useId()
  const controlId = id ?? generatedId
  const helpId = help ? `${controlId}-help` : undefined
  const errorId = error ? `${controlId}-error` : undefined
  return {
    controlId,
    labelId: `${controlId}-label`,
    helpId,
    errorId,
    describedBy: [helpId, errorId].filter(Boolean).join(' ') || undefined,
  }
}

export interface FieldProps extends FieldOptions {
  ids: ReturnType<typeof useFieldIds>
  className?: string
  children: ReactNode
}

/** A label and its control, with the help and error below. */
export const Field = ({ ids, label, labelAside, withAsterisk, help, error, className, children }: FieldProps) => (
  <div className={className ? `${css.field} ${className}` : css.field}>
    <div className={css.head}>
      <label id={ids.labelId} htmlFor={ids.controlId}>
        {label}
        {withAsterisk ? (
          <span className={css.asterisk} aria-hidden="true">
            {' *'}
          </span>
        ) : null}
      </label>
      {labelAside}
    </div>
    {children}
    <FieldNotes ids={ids} help={help} error={error} />
  </div>
)

import type { ReactNode, Ref } from 'react'
import { useFieldIds } from './field'
import { FieldNotes } from './field-message'
import css from './file-input.module.css'

export interface FileInputProps {
  label: string
  /** Accepted file types: '.csv,text/csv'. Accepts all by default. */
  accept?: string
  required?: boolean
  /** Hides the file picker; the description of the file (`children`) remains. */
  readOnly?: boolean
  /** Disables the file picker temporarily. */
  disabled?: boolean
  help?: ReactNode
  error?: string
  ref?: Ref<HTMLInputElement>
  onChoose: (file: File) => void
  onBlur?: () => void
  /** Description of the file. */
  children?: ReactNode
}

/** Selects a file from disk. */
export const FileInput = (props: FileInputProps) => {
  const { label, accept, required, readOnly, disabled, help, error, ref, onChoose, onBlur, children } = props
  const ids = useFieldIds({ help, error })
  return (
    <div className={css.field} {...(readOnly ? { role: 'group', 'aria-labelledby': ids.labelId } : {})}>
      {readOnly ? (
        <span id={ids.labelId} className={css.label}>
          {label}
        </span>
      ) : (
        <label htmlFor={ids.controlId} className={css.label}>
          {label}
          {required ? (
            <span aria-hidden="true" className={css.asterisk}>
              {' '}
              *
            </span>
          ) : null}
        </label>
      )}
      {readOnly ? null : (
        <input
          ref={ref}
          id={ids.controlId}
          type="file"
          accept={accept}
          className={css.file}
          disabled={disabled}
          aria-required={required || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={ids.describedBy}
          // clear the value, so that the same file can be selected again after an edit
          onClick={(event) => (event.currentTarget.value = '')}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            if (file) onChoose(file)
          }}
          onBlur={onBlur}
        />
      )}
      <FieldNotes ids={ids} help={help} error={error} />
      {children ? <div className={css.fileDescription}>{children}</div> : null}
    </div>
  )
}

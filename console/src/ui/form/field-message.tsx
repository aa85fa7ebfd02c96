import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorText } from '../feedback/error-text'
import css from './field-message.module.css'

export interface FieldMessageProps {
  /** Id for the `aria-describedby` of the field. */
  id?: string
  /** 'bad' for an invalid value, 'warn' for a valid one that could be better. */
  tone?: 'bad' | 'warn'
  children: ReactNode
}

/** The error or warning below a field or section. */
export const FieldMessage = ({ id, tone = 'bad', children }: FieldMessageProps) => (
  <span id={id} className={css.message} data-tone={tone}>
    <CircleAlert size={12} strokeWidth={2.25} aria-hidden="true" />
    <span>{typeof children === 'string' ? <ErrorText>{children}</ErrorText> : children}</span>
  </span>
)

export interface FieldNotesProps {
  ids: { helpId?: string; errorId?: string }
  help?: ReactNode
  error?: ReactNode
}

/** The help and the error below a control. */
export const FieldNotes = ({ ids, help, error }: FieldNotesProps) => (
  <>
    {help ? (
      <span id={ids.helpId} className={css.help}>
        {help}
      </span>
    ) : null}
    {error ? <FieldMessage id={ids.errorId}>{error}</FieldMessage> : null}
  </>
)

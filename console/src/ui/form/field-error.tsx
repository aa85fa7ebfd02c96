import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './field-error.module.css'

export interface FieldErrorProps {
  /** Id for the `aria-describedby` of the invalid element. */
  id?: string
  children: ReactNode
}

/** The error message below a field or section. */
export const FieldError = ({ id, children }: FieldErrorProps) => (
  <span id={id} className={css.error}>
    <CircleAlert size={12} strokeWidth={2.25} aria-hidden="true" />
    <span>{children}</span>
  </span>
)

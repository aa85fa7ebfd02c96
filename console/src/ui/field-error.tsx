import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './field-error.module.css'

export interface FieldErrorProps {
  /** For aria-describedby of what is wrong. */
  id?: string
  children: ReactNode
}

/** What is wrong, under the thing that is wrong. */
export const FieldError = ({ id, children }: FieldErrorProps) => (
  <span id={id} className={css.error}>
    <CircleAlert size={12} strokeWidth={2.25} aria-hidden="true" />
    <span>{children}</span>
  </span>
)

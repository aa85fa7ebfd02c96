import { CircleAlert } from 'lucide-react'
import css from './field-warning.module.css'

/** Suggests an improvement to a value that is valid. */
export const FieldWarning = ({ children }: { children: string }) => (
  <span className={css.warning}>
    <CircleAlert size={12} strokeWidth={2.25} aria-hidden="true" />
    <span>{children}</span>
  </span>
)

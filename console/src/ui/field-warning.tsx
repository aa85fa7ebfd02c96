import { CircleAlert } from 'lucide-react'
import css from './field-warning.module.css'

/** What could be better about a value that is accepted. */
export const FieldWarning = ({ children }: { children: string }) => (
  <span className={css.warning}>
    <CircleAlert size={12} strokeWidth={2.25} aria-hidden="true" />
    <span>{children}</span>
  </span>
)

import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './empty-state.module.css'

export interface EmptyStateProps {
  icon?: LucideIcon
  /** The sentence that says that there is nothing. */
  title: string
  text?: ReactNode
  /** The next step: buttons. */
  children?: ReactNode
  tone?: 'plain' | 'bad'
}

/** What stands where rows would: why it is empty, and the next step. */
export const EmptyState = ({ icon: Icon, title, text, children, tone = 'plain' }: EmptyStateProps) => (
  <div className={css.place}>
    <div className={css.state} data-tone={tone}>
      {Icon ? <Icon size={24} strokeWidth={1.5} aria-hidden="true" /> : null}
      <h2>{title}</h2>
      {text ? <p>{text}</p> : null}
      {children ? <div className={css.next}>{children}</div> : null}
    </div>
  </div>
)

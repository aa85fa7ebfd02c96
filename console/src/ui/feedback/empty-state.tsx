import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './empty-state.module.css'

export interface EmptyStateProps {
  icon?: LucideIcon
  /** Message that names the missing records. */
  title: string
  text?: ReactNode
  /** Buttons for the next step. */
  children?: ReactNode
  tone?: 'plain' | 'bad'
}

/** Replaces the rows of an empty list: the reason and the next step. */
export const EmptyState = ({ icon: Icon, title, text, children, tone = 'plain' }: EmptyStateProps) => (
  <div className={css.container}>
    <div className={css.state} data-tone={tone}>
      {Icon ? <Icon size={24} strokeWidth={1.5} aria-hidden="true" /> : null}
      <h2>{title}</h2>
      {text ? <p>{text}</p> : null}
      {children ? <div className={css.actions}>{children}</div> : null}
    </div>
  </div>
)

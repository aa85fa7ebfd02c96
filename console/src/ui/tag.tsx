import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './tag.module.css'

export interface TagProps {
  icon?: LucideIcon
  title?: string
  children: ReactNode
}

/** A word with a thin border: a scope, a kind. */
export const Tag = ({ icon: Icon, title, children }: TagProps) => (
  <span className={css.tag} title={title}>
    {Icon ? <Icon size={12} strokeWidth={2.25} aria-hidden="true" /> : null}
    {children}
  </span>
)

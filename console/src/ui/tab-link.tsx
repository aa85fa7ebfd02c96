import type { ReactNode } from 'react'
import css from './tab.module.css'

interface TabLinkProps {
  label: string
  href: string
  isCurrent: boolean
  /** Undefined while unknown, and for a tab without a count. */
  count?: number
  onClick?: () => void
  /** Text that only screen readers read after the label. */
  children?: ReactNode
}

/** A link to another view of the same records, which looks like a tab. */
export const TabLink = ({ label, href, isCurrent, count, onClick, children }: TabLinkProps) => (
  <a className={css.tab} href={href} aria-current={isCurrent ? 'page' : undefined} onClick={onClick}>
    {label} {count === undefined ? null : <span className={css.count}>{count.toLocaleString('en-US')}</span>} {children}
  </a>
)

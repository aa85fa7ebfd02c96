import type { ReactNode } from 'react'
import css from './link.module.css'

export interface LinkProps {
  href: string
  children: ReactNode
  /** Opens beside the console; for places outside it. */
  outside?: boolean
  /** One of many, as in a table's column: the colour of its text, underlined when pointed at. */
  quiet?: boolean
}

/** A link in running text. */
export const Link = ({ href, children, outside, quiet }: LinkProps) => (
  <a
    className={css.link}
    data-quiet={quiet || undefined}
    href={href}
    {...(outside ? { target: '_blank', rel: 'noreferrer' } : {})}
  >
    {children}
  </a>
)

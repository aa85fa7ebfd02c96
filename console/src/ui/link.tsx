import type { ReactNode } from 'react'
import css from './link.module.css'

export interface LinkProps {
  href: string
  children: ReactNode
  /** Opens in a new tab; for links out of the console. */
  outside?: boolean
  /** For repeated links, as in a table column: uses the text colour, and an underline on hover. */
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

import type { ReactNode } from 'react'
import css from './link.module.css'

export interface LinkProps {
  href: string
  children: ReactNode
  /** Opens in a new tab; for links out of the console. */
  isExternal?: boolean
  /** For repeated links, as in a table column: uses the text colour, and an underline on hover. */
  muted?: boolean
}

/** A link in running text. */
export const Link = ({ href, children, isExternal, muted }: LinkProps) => (
  <a
    className={css.link}
    data-muted={muted || undefined}
    href={href}
    {...(isExternal ? { target: '_blank', rel: 'noreferrer' } : {})}
  >
    {children}
  </a>
)

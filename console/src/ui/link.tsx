import type { ReactNode } from 'react'
import css from './link.module.css'

export interface LinkProps {
  href: string
  children: ReactNode
  /** Opens beside the console; for places outside it. */
  outside?: boolean
}

/** A link in running text. */
export const Link = ({ href, children, outside }: LinkProps) => (
  <a className={css.link} href={href} {...(outside ? { target: '_blank', rel: 'noreferrer' } : {})}>
    {children}
  </a>
)

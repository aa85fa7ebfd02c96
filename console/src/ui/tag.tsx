import type { ReactNode } from 'react'
import css from './tag.module.css'

/** A word with a thin border: a scope, a kind. */
export const Tag = ({ children }: { children: ReactNode }) => <span className={css.tag}>{children}</span>

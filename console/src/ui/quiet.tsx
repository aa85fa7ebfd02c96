import type { ReactNode } from 'react'
import css from './quiet.module.css'

/** Words of second rank: None, Off, a date beside what matters. */
export const Quiet = ({ children }: { children: ReactNode }) => <span className={css.quiet}>{children}</span>

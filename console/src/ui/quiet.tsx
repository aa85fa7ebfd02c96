import type { ReactNode } from 'react'
import css from './quiet.module.css'

export interface QuietProps {
  children: ReactNode
  /** It is all that is said, as None or Off: a card then says of what. */
  alone?: boolean
}

/** Words of second rank: None, Off, a date beside what matters. */
export const Quiet = ({ children, alone }: QuietProps) => (
  <span className={css.quiet} data-alone={alone || undefined}>
    {children}
  </span>
)

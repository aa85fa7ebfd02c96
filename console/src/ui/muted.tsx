import type { ReactNode } from 'react'
import css from './muted.module.css'

export interface MutedProps {
  children: ReactNode
  /** The text is the entire value, such as None or Off. A card then shows the column heading beside it. */
  alone?: boolean
}

/** Secondary text: None, Off, a date beside the main value. */
export const Muted = ({ children, alone }: MutedProps) => (
  <span className={css.quiet} data-alone={alone || undefined}>
    {children}
  </span>
)

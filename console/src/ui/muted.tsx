import type { ReactNode } from 'react'
import css from './muted.module.css'

export interface MutedProps {
  children: ReactNode
  /** The text is the entire value, such as None or Off. A card then shows the column heading beside it. */
  isEntireValue?: boolean
}

/** Secondary text: None, Off, a date beside the main value. */
export const Muted = ({ children, isEntireValue }: MutedProps) => (
  <span className={css.muted} data-entire-value={isEntireValue || undefined}>
    {children}
  </span>
)

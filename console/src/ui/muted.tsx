import type { ReactNode } from 'react'
import css from './muted.module.css'

export interface MutedProps {
  children: ReactNode
  /** The text stands for an empty value, such as None. A card then shows the column heading beside it. */
  isEmptyValue?: boolean
}

/** Secondary text: None, Off, a date beside the main value. */
export const Muted = ({ children, isEmptyValue }: MutedProps) => (
  <span className={css.muted} data-empty-value={isEmptyValue || undefined}>
    {children}
  </span>
)

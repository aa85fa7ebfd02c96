import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import css from './table.module.css'
import { moveBetweenRows } from './row-navigation'

export interface TableRegionProps {
  /** Accessible name of the list: 'Accounts'. */
  label: string
  /** Rows are loading or being refreshed. */
  isBusy: boolean | undefined
  ref?: RefObject<HTMLDivElement | null>
  className?: string | undefined
  /** Handles a key after the keys that move between rows. */
  onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void
  children: ReactNode
}

/** The part of a screen that shows rows, as a table or as cards. It fills the remaining height and scrolls on its own. */
export const TableRegion = ({ label, isBusy, ref, className = '', onKeyDown, children }: TableRegionProps) => (
  // the list handles keys from all elements inside it
  // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
  <div
    ref={ref}
    onKeyDown={(event) => {
      moveBetweenRows(event)
      onKeyDown?.(event)
    }}
    className={`${css.region} ${className}`}
    role="region"
    aria-label={label}
    // makes the region scrollable with the keyboard, even if nothing inside can be focused
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    tabIndex={0}
    aria-busy={isBusy || undefined}
  >
    {children}
  </div>
)

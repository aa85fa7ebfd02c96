import type { ReactNode } from 'react'
import css from './panel-list.module.css'

/** The rows of a panel. `columns`: a grid template; the cells of all rows are aligned. */
export const PanelList = ({ columns, children }: { columns: string; children: ReactNode }) => (
  <ul className={css.list} style={{ gridTemplateColumns: columns }}>
    {children}
  </ul>
)

export interface PanelRowProps {
  /** The row has two lines. */
  isTall?: boolean
  children: ReactNode
}

/** A row of a panel: a cell per column. */
export const PanelRow = ({ isTall, children }: PanelRowProps) => (
  <li className={css.row} data-tall={isTall || undefined}>
    {children}
  </li>
)

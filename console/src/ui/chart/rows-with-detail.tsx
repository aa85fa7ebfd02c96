import type { CSSProperties, ReactNode } from 'react'
import css from './rows-with-detail.module.css'

export interface RowsWithDetailProps {
  /** Accessible name of the detail section. */
  label: string
  /** Details of the selected row. Absent while they are closed. */
  detail: ReactNode
  /** Width of the detail section in pixels when it is beside the rows. */
  width?: number
  /** The rows to select from. They set the height; on narrow screens the details move below them. */
  children: ReactNode
}

/** Rows, with the details of the selected row beside them. */
export const RowsWithDetail = ({ label, detail, width = 384, children }: RowsWithDetailProps) => (
  <div
    className={css.beside}
    data-detail={detail ? 'open' : 'closed'}
    style={{ '--detail-width': `${width}px` } as CSSProperties}
  >
    {children}
    {detail ? (
      <section className={css.detail} aria-label={label}>
        <div>{detail}</div>
      </section>
    ) : null}
  </div>
)

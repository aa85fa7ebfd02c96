import type { ReactNode } from 'react'
import css from './comparison.module.css'

export interface ComparisonItem {
  label: string
  /** A second line below the label. */
  note?: ReactNode
  /** The value before a change; shown only if it differs. */
  from?: string
  to: ReactNode
  strong?: boolean
}

/** Values before and after a change: 'Simultaneous calls 10 → 14'. */
export const Comparison = ({ items, framed }: { items: ComparisonItem[]; framed?: boolean }) => (
  <dl className={css.rows} data-framed={framed || undefined}>
    {items.map(({ label, note, from, to, strong }) => (
      <div key={label} data-strong={strong || undefined}>
        <dt>
          {label}
          {note ? <small>{note}</small> : null}
        </dt>
        <dd>
          {from !== undefined && from !== to ? (
            <>
              <span className={css.from}>{from}</span>
              <span className={css.arrow} aria-hidden="true">
                →
              </span>
              <span className="visually-hidden"> to </span>
            </>
          ) : null}
          {to}
        </dd>
      </div>
    ))}
  </dl>
)

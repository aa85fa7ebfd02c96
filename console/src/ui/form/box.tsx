import type { ReactNode } from 'react'
import css from './box.module.css'

export interface BoxProps {
  title?: string
  /** Right end of the header: a status or a button. */
  end?: ReactNode
  children: ReactNode
}

/** A bordered section with an optional header. */
export const Box = ({ title, end, children }: BoxProps) => (
  <section className={css.box} aria-label={title}>
    {title || end ? (
      <header className={css.header}>
        {title ? <h2>{title}</h2> : null}
        {end ? <div className={css.end}>{end}</div> : null}
      </header>
    ) : null}
    <div className={css.body}>{children}</div>
  </section>
)

export interface KeyValuesProps {
  items: { label: string; value: ReactNode; mono?: boolean }[]
  /** Puts each value below its label, for long values. */
  stacked?: boolean
}

/** A list of labels and values. */
export const KeyValues = ({ items, stacked }: KeyValuesProps) => (
  <dl className={css.keyValues} data-stacked={stacked || undefined}>
    {items.map(({ label, value, mono }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd data-mono={mono || undefined}>{value}</dd>
      </div>
    ))}
  </dl>
)

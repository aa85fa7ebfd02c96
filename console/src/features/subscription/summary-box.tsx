import type { ReactNode } from 'react'
import { Comparison, type ComparisonItem } from '../../panels/subscription/comparison'
import css from './summary-box.module.css'

interface SummaryBoxProps {
  label: string
  /** The amount above the rows, with what it is. */
  amount?: { label: string; value: ReactNode; isBusy?: boolean }
  items: ComparisonItem[]
}

/** What a change costs and brings, beside the form. */
export const SummaryBox = ({ label, amount, items }: SummaryBoxProps) => (
  <section className={css.box} aria-label={label}>
    {amount ? (
      <div className={css.amount} aria-busy={amount.isBusy || undefined}>
        <p>{amount.label}</p>
        <p className={css.value}>{amount.value}</p>
      </div>
    ) : (
      <h2 className={css.heading}>{label}</h2>
    )}
    {items.length > 0 ? <Comparison items={items} /> : null}
  </section>
)

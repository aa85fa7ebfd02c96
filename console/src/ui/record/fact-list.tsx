import css from './fact-list.module.css'
import type { RecordFact } from './record-head'

export interface FactListProps {
  facts: readonly RecordFact[]
  /** Shows the values in monospace, for URLs. */
  mono?: boolean
}

/** Facts about a record in a panel: a label and a value in each row. */
export const FactList = ({ facts, mono }: FactListProps) => (
  <dl className={css.facts} data-mono={mono || undefined}>
    {facts.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd dir="auto">{value}</dd>
      </div>
    ))}
  </dl>
)

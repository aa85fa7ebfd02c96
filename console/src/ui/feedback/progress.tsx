import css from './progress.module.css'

export interface ProgressProps {
  /** Describes the operation. */
  label: string
  /** Undefined if the operation runs in one step and so reports no progress. */
  done: number | undefined
  total: number
}

const formatCount = (count: number) => count.toLocaleString('en-US')

/** A progress bar with the count beside it. */
export const Progress = ({ label, done, total }: ProgressProps) => (
  <span className={css.progress}>
    <progress aria-label={label} value={done} max={Math.max(total, 1)} />
    <span className={css.count}>
      {done === undefined ? `${formatCount(total)} in one step` : `${formatCount(done)} of ${formatCount(total)}`}
    </span>
  </span>
)

import { useId } from 'react'
import { formatCount } from '../format-count'
import css from './progress.module.css'

export interface ProgressProps {
  /** Describes the operation. */
  label: string
  /** Undefined if the operation runs in one step and so reports no progress. */
  done: number | undefined
  total: number
}

/** A progress bar between its label and its count. */
export const Progress = ({ label, done, total }: ProgressProps) => {
  const labelId = useId()
  return (
    <span className={css.progress}>
      <span id={labelId} className={css.label}>
        {label}
      </span>
      <progress aria-labelledby={labelId} value={done} max={Math.max(total, 1)} />
      <span className={css.count}>
        {done === undefined ? `${formatCount(total)} in one step` : `${formatCount(done)} of ${formatCount(total)}`}
      </span>
    </span>
  )
}

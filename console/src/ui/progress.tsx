import css from './progress.module.css'

export interface ProgressProps {
  /** What is going on. */
  label: string
  /** Undefined: nobody can tell, because it comes to an end all at once. */
  done: number | undefined
  total: number
}

const say = (count: number) => count.toLocaleString('en-US')

/** How far something has got: a bar, and the count beside it. */
export const Progress = ({ label, done, total }: ProgressProps) => (
  <span className={css.progress}>
    <progress aria-label={label} value={done} max={Math.max(total, 1)} />
    <span className={css.count}>{done === undefined ? `${say(total)} at once` : `${say(done)} of ${say(total)}`}</span>
  </span>
)

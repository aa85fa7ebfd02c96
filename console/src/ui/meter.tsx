import css from './meter.module.css'

/** From this share of the maximum on, a meter of a limit warns. */
const warningShare = 0.9

export interface MeterProps {
  value: number
  /** Above 0. */
  max: number
  /** For screen readers: '18 of 20 calls'. */
  label: string
  /** The maximum is a goal and not a limit. */
  isProgress?: boolean
}

/** A bar that shows a value as a share of its maximum. */
export const Meter = ({ value, max, label, isProgress = false }: MeterProps) => {
  const share = Math.min(1, value / max)
  const isWarning = !isProgress && share >= warningShare
  return (
    <span className={css.meter} data-warn={isWarning || undefined} role="img" aria-label={label}>
      <i style={{ width: `${share * 100}%` }} />
    </span>
  )
}

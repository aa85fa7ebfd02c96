import css from './meter.module.css'

/** From this share of the maximum on, a meter warns. */
const warningShare = 0.9

export interface MeterProps {
  value: number
  /** Above 0. */
  max: number
  /** For screen readers: '18 of 20 calls'. */
  label: string
}

/** A bar that shows a value as a share of its maximum. */
export const Meter = ({ value, max, label }: MeterProps) => {
  const share = Math.min(1, value / max)
  return (
    <span className={css.meter} data-warn={share >= warningShare || undefined} role="img" aria-label={label}>
      <i style={{ width: `${share * 100}%` }} />
    </span>
  )
}

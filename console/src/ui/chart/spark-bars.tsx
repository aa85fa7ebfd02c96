import css from './spark-bars.module.css'

const width = 150
const height = 26
const gap = 1
/** The height of the highest bar stands for at least this value, so that a single event looks like one. */
const minScale = 4

export interface SparkBarsProps {
  /** One bar each, the oldest first. */
  values: readonly number[]
  /** What the bars show, for screen readers. */
  label: string
}

/** A small bar chart of events over time, without axes. */
export const SparkBars = ({ values, label }: SparkBarsProps) => {
  const scale = Math.max(minScale, ...values)
  const slotWidth = width / Math.max(1, values.length)
  return (
    <svg className={css.chart} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {values.map((value, index) => {
        const barHeight = value > 0 ? Math.max(2, (value / scale) * height) : 1
        return (
          <rect
            key={index}
            className={value > 0 ? css.bar : css.baseline}
            x={index * slotWidth}
            y={height - barHeight}
            width={slotWidth - gap}
            height={barHeight}
          />
        )
      })}
    </svg>
  )
}

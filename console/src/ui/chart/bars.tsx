import css from './bars.module.css'
import { useChartButtons } from './use-chart-buttons'

export interface Bar {
  key: string
  /** Describes the bar and its value, for the heading and screen readers. */
  description: string
  /** Value of the lower segment, drawn in the accent colour. The upper segment is stacked on it. */
  lowerValue: number
  upperValue: number
  onPress: () => void
}

type SegmentLabels = readonly [lower: string, upper: string]

export const BarsLegend = ({ labels }: { labels: SegmentLabels }) => (
  <ul className={css.legend}>
    {labels.map((name, index) => (
      <li key={name} data-upper={index === 1 || undefined}>
        {name}
      </li>
    ))}
  </ul>
)

export interface BarsProps {
  label: string
  /** Labels of the two segments, for a legend above the bars. Absent if a panel has its own heading and legend. */
  segmentLabels?: SegmentLabels
  bars: readonly Bar[]
  /** Axis labels below the first and last bar. CSS hides them when every bar has a mark. */
  endLabels: readonly [string, string]
  /** Axis labels between the ends. `positionFraction`: the distance from the left end as a fraction of the width. */
  marks?: readonly { positionFraction: number; text: string }[]
}

/** More labels than this do not fit into a narrow window. As many bars have space between them. */
const maxMarksInNarrowWindow = 7

/** A stacked bar chart of buttons. The left and right arrow keys move between bars. */
export const Bars = ({ label, segmentLabels, bars, endLabels, marks = [] }: BarsProps) => {
  const { activeIndex, getButtonProps } = useChartButtons(bars.length)
  const maxValue = Math.max(1, ...bars.map(({ lowerValue, upperValue }) => lowerValue + upperValue))
  return (
    <div className={css.chart}>
      <div className={css.head}>
        {segmentLabels ? <h2>{label}</h2> : null}
        <p className={css.description}>{(activeIndex === undefined ? undefined : bars[activeIndex])?.description}</p>
        {segmentLabels ? <BarsLegend labels={segmentLabels} /> : null}
      </div>
      <p className={css.scale} aria-hidden="true">
        <span>{maxValue.toLocaleString('en-US')}</span>
        <span>0</span>
      </p>
      <div
        role="group"
        aria-label={label}
        className={css.bars}
        data-few={bars.length <= maxMarksInNarrowWindow || undefined}
      >
        {bars.map(({ key, description, lowerValue, upperValue, onPress }, index) => (
          <button key={key} {...getButtonProps(index)} aria-label={description} onClick={onPress}>
            <span className={css.upperSegment} style={{ height: `${(upperValue / maxValue) * 100}%` }} />
            <span className={css.lowerSegment} style={{ height: `${(lowerValue / maxValue) * 100}%` }} />
          </button>
        ))}
      </div>
      <p
        className={css.axis}
        aria-hidden="true"
        data-labelled={marks.length === bars.length || undefined}
        data-few={marks.length <= maxMarksInNarrowWindow || undefined}
      >
        <span>{endLabels[0]}</span>
        {marks.map(({ positionFraction, text }) => (
          <i key={positionFraction} style={{ left: `${100 * positionFraction}%` }}>
            {text}
          </i>
        ))}
        <span>{endLabels[1]}</span>
      </p>
    </div>
  )
}

import css from './line-chart.module.css'
import { useChartButtons } from './use-chart-buttons'

export interface LineChartPoint {
  key: string
  /** Describes the point and its values, for the heading and screen readers. */
  description: string
  /** Where the point is, and where the part of the chart that belongs to it starts and ends, as fractions of the width. */
  span: { from: number; to: number }
  /** Undefined where the line has not arrived yet. */
  value: number | undefined
  /** The value to compare with; undefined where it is unknown. */
  comparedValue: number | undefined
  onPress: () => void
}

export interface LineChartProps {
  label: string
  /** Legend labels of the two lines. */
  lineLabels: readonly [value: string, comparedValue: string]
  points: readonly LineChartPoint[]
  /** Labels below the chart, at equal distances from its left to its right end. */
  axisLabels: readonly string[]
  /** Marks a moment. */
  pin?: { positionFraction: number; text: string }
}

const widthUnits = 1000
const heightUnits = 100
const gridLines = 4

/** The value at the top of the chart: a number that its grid lines divide into even steps. */
export const getScaleMax = (values: readonly number[]): number => {
  const max = Math.max(gridLines, ...values)
  const magnitude = 10 ** Math.floor(Math.log10(max / gridLines))
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
    .map((factor) => factor * magnitude)
    .find((size) => Number.isInteger(size) && size * gridLines >= max)
  return (step ?? Math.ceil(max / gridLines)) * gridLines
}

interface Position {
  x: number
  y: number
}

const toPositions = (
  points: readonly LineChartPoint[],
  getValue: (point: LineChartPoint) => number | undefined,
  scaleMax: number,
): Position[] =>
  points.flatMap((point) => {
    const value = getValue(point)
    if (value === undefined) return []
    const { from, to } = point.span
    return [{ x: ((from + to) / 2) * widthUnits, y: heightUnits * (1 - value / scaleMax) }]
  })

const toPath = (positions: readonly Position[]) =>
  positions.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

/** The path of the surface below a line. */
const toAreaPath = (positions: readonly Position[]) => {
  const [first, last] = [positions[0], positions.at(-1)]
  return first && last
    ? `${toPath(positions)}L${last.x.toFixed(1)} ${heightUnits}L${first.x.toFixed(1)} ${heightUnits}Z`
    : ''
}

const Lines = ({ points, scaleMax }: { points: readonly LineChartPoint[]; scaleMax: number }) => {
  const positions = toPositions(points, ({ value }) => value, scaleMax)
  const comparedPositions = toPositions(points, ({ comparedValue }) => comparedValue, scaleMax)
  return (
    <svg
      className={css.lines}
      viewBox={`0 0 ${widthUnits} ${heightUnits}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {Array.from({ length: gridLines + 1 }, (_, index) => (
        <path key={index} className={css.grid} d={`M0 ${(index / gridLines) * heightUnits}H${widthUnits}`} />
      ))}
      <path className={css.comparedLine} d={toPath(comparedPositions)} />
      <path className={css.area} d={toAreaPath(positions)} />
      <path className={css.line} d={toPath(positions)} />
    </svg>
  )
}

/** Two lines over the same time, to compare them. Each point is a button. */
export const LineChart = ({ label, lineLabels, points, axisLabels, pin }: LineChartProps) => {
  const { activeIndex, getButtonProps } = useChartButtons(points.length)
  const scaleMax = getScaleMax(points.flatMap(({ value = 0, comparedValue = 0 }) => [value, comparedValue]))
  return (
    <div className={css.chart}>
      <div className={css.head}>
        <h2>{label}</h2>
        <p className={css.description}>{(activeIndex === undefined ? undefined : points[activeIndex])?.description}</p>
        <ul className={css.legend}>
          {lineLabels.map((name, index) => (
            <li key={name} data-compared={index === 1 || undefined}>
              {name}
            </li>
          ))}
        </ul>
      </div>
      <p className={css.scale} aria-hidden="true">
        {[scaleMax, scaleMax / 2, 0].map((value) => (
          <span key={value}>{value.toLocaleString('en-US')}</span>
        ))}
      </p>
      <div className={css.plot}>
        <Lines points={points} scaleMax={scaleMax} />
        {pin ? (
          <span
            className={css.pin}
            data-left={pin.positionFraction > 0.5 || undefined}
            style={{ left: `${100 * pin.positionFraction}%` }}
          >
            <span>{pin.text}</span>
          </span>
        ) : null}
        <div role="group" aria-label={label} className={css.points}>
          {points.map(({ key, description, span, onPress }, index) => (
            <button
              key={key}
              {...getButtonProps(index)}
              aria-label={description}
              style={{ flexGrow: span.to - span.from }}
              onClick={onPress}
            />
          ))}
        </div>
      </div>
      <p className={css.axis} aria-hidden="true">
        {axisLabels.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
    </div>
  )
}

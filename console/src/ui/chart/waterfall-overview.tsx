import { ZoomOut } from 'lucide-react'
import { useRef, useState, type CSSProperties, type PointerEvent } from 'react'
import { IconButton } from '../button'
import type { WaterfallRow, WaterfallTone } from './waterfall-row'
import css from './waterfall.module.css'

type TimeRange = readonly [from: number, to: number]

/** Resolution of the overview: its number of lines and of points per line. Spans at the same point are drawn once. */
const lineCount = 13
const pointCount = 600

/** Returns one SVG path per tone, which draws all spans. Spans that overlap at this resolution share a stroke. */
export const createStrokes = (rows: readonly WaterfallRow[], [from, to]: TimeRange): [WaterfallTone, string][] => {
  const linesByTone = new Map<WaterfallTone, Map<number, Uint8Array>>()
  const length = to - from || 1
  rows.forEach(({ tone, start, end }, rowIndex) => {
    const lineIndex = Math.floor((rowIndex / Math.max(rows.length, lineCount)) * lineCount)
    const lines = linesByTone.get(tone) ?? new Map<number, Uint8Array>()
    linesByTone.set(tone, lines)
    const line = lines.get(lineIndex) ?? new Uint8Array(pointCount)
    lines.set(lineIndex, line)
    const first = Math.min(pointCount - 1, Math.floor(((start - from) / length) * pointCount))
    line.fill(1, first, Math.max(first + 1, Math.ceil(((end - from) / length) * pointCount)))
  })
  return [...linesByTone].map(([tone, lines]) => {
    let path = ''
    for (const [lineIndex, line] of lines) {
      const y = lineIndex * 2 + 1
      for (let start = line.indexOf(1); start >= 0;) {
        const end = line.indexOf(0, start)
        path += `M${start} ${y}H${end < 0 ? pointCount : end}`
        start = end < 0 ? -1 : line.indexOf(1, end)
      }
    }
    return [tone, path]
  })
}

export interface WaterfallOverviewProps {
  summary: string
  strokes: [WaterfallTone, string][]
  fullRange: TimeRange
  shownRange: TimeRange
  onShow: (range: TimeRange | undefined) => void
  /** Describes a time range in words. */
  formatRange: (from: number, to: number) => string
}

/** A small view of the whole call. Dragging over a part of it zooms to that part. */
export const WaterfallOverview = ({
  summary,
  strokes,
  fullRange,
  shownRange,
  onShow,
  formatRange,
}: WaterfallOverviewProps) => {
  const lane = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<TimeRange>()
  const timeAtPointer = (event: PointerEvent) => {
    const { left = 0, width = 1 } = lane.current?.getBoundingClientRect() ?? {}
    const fraction = Math.min(1, Math.max(0, (event.clientX - left) / (width || 1)))
    return fullRange[0] + fraction * (fullRange[1] - fullRange[0])
  }
  const finishDrag = (event: PointerEvent) => {
    if (!drag) return
    const time = timeAtPointer(event)
    const [from, to] = [Math.min(drag[0], time), Math.max(drag[0], time)]
    setDrag(undefined)
    // a click without dragging resets the zoom
    onShow(to - from > (fullRange[1] - fullRange[0]) / 200 ? [from, to] : undefined)
  }
  const length = fullRange[1] - fullRange[0] || 1
  const toPercent = (time: number) => `${((time - fullRange[0]) / length) * 100}%`
  const isZoomed = shownRange[0] !== fullRange[0] || shownRange[1] !== fullRange[1]
  const markedRange = drag ? ([Math.min(...drag), Math.max(...drag)] as const) : isZoomed ? shownRange : undefined
  return (
    <div className={css.overview}>
      <div className={css.summary}>
        <span>{isZoomed ? formatRange(shownRange[0], shownRange[1]) : summary}</span>
        {isZoomed ? (
          <IconButton
            icon={ZoomOut}
            iconSize={14}
            size="sm"
            label="Show the whole call"
            onClick={() => onShow(undefined)}
          />
        ) : null}
      </div>
      <div
        ref={lane}
        className={css.lane}
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture?.(event.pointerId)
          const time = timeAtPointer(event)
          setDrag([time, time])
        }}
        onPointerMove={(event) => drag && setDrag([drag[0], timeAtPointer(event)])}
        onPointerUp={finishDrag}
        onPointerCancel={() => setDrag(undefined)}
      >
        <svg viewBox={`0 0 ${pointCount} ${lineCount * 2}`} preserveAspectRatio="none">
          {strokes.map(([tone, path]) => (
            <path key={tone} data-tone={tone} d={path} />
          ))}
        </svg>
        {markedRange ? (
          <i
            className={css.window}
            style={{ '--start': toPercent(markedRange[0]), '--end': toPercent(markedRange[1]) } as CSSProperties}
          />
        ) : null}
      </div>
    </div>
  )
}

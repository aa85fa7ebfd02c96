import { ZoomOut } from 'lucide-react'
import { useRef, useState, type CSSProperties, type PointerEvent } from 'react'
import { IconButton } from '../button'
import type { WaterfallRow, WaterfallTone } from './waterfall-row'
import css from './waterfall.module.css'

type TimeRange = readonly [from: number, to: number]

/** Resolution of the overview: its number of lines and of points per line. Spans at the same point are drawn once. */
const lines = 13
const points = 600

/** Returns one SVG path per tone, which draws all spans. Spans that overlap at this resolution share a stroke. */
export const createStrokes = (rows: readonly WaterfallRow[], [from, to]: TimeRange): [WaterfallTone, string][] => {
  const drawn = new Map<WaterfallTone, Map<number, Uint8Array>>()
  const length = to - from || 1
  rows.forEach(({ tone, start, end }, at) => {
    const line = Math.floor((at / Math.max(rows.length, lines)) * lines)
    const tones = drawn.get(tone) ?? new Map<number, Uint8Array>()
    drawn.set(tone, tones)
    const row = tones.get(line) ?? new Uint8Array(points)
    tones.set(line, row)
    const first = Math.min(points - 1, Math.floor(((start - from) / length) * points))
    row.fill(1, first, Math.max(first + 1, Math.ceil(((end - from) / length) * points)))
  })
  return [...drawn].map(([tone, tones]) => {
    let path = ''
    for (const [line, row] of tones) {
      const y = line * 2 + 1
      for (let at = row.indexOf(1); at >= 0;) {
        const end = row.indexOf(0, at)
        path += `M${at} ${y}H${end < 0 ? points : end}`
        at = end < 0 ? -1 : row.indexOf(1, end)
      }
    }
    return [tone, path]
  })
}

export interface WaterfallOverviewProps {
  summary: string
  strokes: [WaterfallTone, string][]
  whole: TimeRange
  shown: TimeRange
  onShow: (stretch: TimeRange | undefined) => void
  /** Describes a time range in words. */
  windowText: (from: number, to: number) => string
}

/** A small view of the whole call. Dragging over a part of it zooms to that part. */
export const WaterfallOverview = ({ summary, strokes, whole, shown, onShow, windowText }: WaterfallOverviewProps) => {
  const lane = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<TimeRange>()
  const timeAtPointer = (event: PointerEvent) => {
    const { left = 0, width = 1 } = lane.current?.getBoundingClientRect() ?? {}
    const part = Math.min(1, Math.max(0, (event.clientX - left) / (width || 1)))
    return whole[0] + part * (whole[1] - whole[0])
  }
  const end = (event: PointerEvent) => {
    if (!drag) return
    const moment = timeAtPointer(event)
    const [from, to] = [Math.min(drag[0], moment), Math.max(drag[0], moment)]
    setDrag(undefined)
    // a click without dragging resets the zoom
    onShow(to - from > (whole[1] - whole[0]) / 200 ? [from, to] : undefined)
  }
  const length = whole[1] - whole[0] || 1
  const part = (moment: number) => `${((moment - whole[0]) / length) * 100}%`
  const zoomed = shown[0] !== whole[0] || shown[1] !== whole[1]
  const marked = drag ? ([Math.min(...drag), Math.max(...drag)] as const) : zoomed ? shown : undefined
  return (
    <div className={css.overview}>
      <div className={css.summary}>
        <span>{zoomed ? windowText(shown[0], shown[1]) : summary}</span>
        {zoomed ? (
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
          const moment = timeAtPointer(event)
          setDrag([moment, moment])
        }}
        onPointerMove={(event) => drag && setDrag([drag[0], timeAtPointer(event)])}
        onPointerUp={end}
        onPointerCancel={() => setDrag(undefined)}
      >
        <svg viewBox={`0 0 ${points} ${lines * 2}`} preserveAspectRatio="none">
          {strokes.map(([tone, path]) => (
            <path key={tone} data-tone={tone} d={path} />
          ))}
        </svg>
        {marked ? (
          <i className={css.window} style={{ '--a': part(marked[0]), '--b': part(marked[1]) } as CSSProperties} />
        ) : null}
      </div>
    </div>
  )
}

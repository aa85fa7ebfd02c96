import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import css from './waterfall.module.css'

export interface WaterfallSplitProps {
  /** Id of the element whose name column is resized. It must be the parent of the separator. */
  controlledId: string
  /** Width of the name column in pixels; undefined for the default of the style sheet. */
  width: number | undefined
  onWidth: (width: number | undefined) => void
}

const minWidth = 160
const maxWidth = 1000
/** The largest width of the name column, as a fraction of the waterfall's width. */
const maxFraction = 0.7
const stepWidth = 16
/** The style sheet moves the separator this many pixels to the left of the column's edge. */
const edgeOffset = 4

/** Returns the current and the largest width of the name column. */
const measureWidths = (separator: HTMLElement) => ({
  current: separator.offsetLeft + edgeOffset,
  max: Math.round(Math.max(minWidth, Math.min(maxWidth, (separator.parentElement?.clientWidth ?? 0) * maxFraction))),
})

/** Measures the widths after every change of `width` and of the waterfall's size. */
const useWidths = (separator: RefObject<HTMLElement | null>, width: number | undefined) => {
  const [widths, setWidths] = useState({ current: minWidth, max: maxWidth })
  useEffect(() => {
    const element = separator.current
    if (!element) return undefined
    const measure = () => setWidths(measureWidths(element))
    measure()
    if (typeof ResizeObserver === 'undefined' || !element.parentElement) return undefined
    const observer = new ResizeObserver(measure)
    observer.observe(element.parentElement)
    return () => observer.disconnect()
  }, [separator, width])
  return widths
}

/**
 * Resizes the name column by dragging or with the arrow keys, Home and End. A double click or Enter restores the default
 * width.
 */
export const WaterfallSplit = ({ controlledId, width, onWidth }: WaterfallSplitProps) => {
  const separator = useRef<HTMLDivElement>(null)
  const widths = useWidths(separator, width)
  const resize = (pixels: number, element: HTMLElement) =>
    onWidth(Math.round(Math.min(Math.max(pixels, minWidth), measureWidths(element).max)))
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    if (!currentTarget.matches('[data-dragged]')) return
    resize(clientX - (currentTarget.parentElement?.getBoundingClientRect().left ?? 0), currentTarget)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { current, max } = measureWidths(event.currentTarget)
    const nextWidths: Partial<Record<string, number>> = {
      ArrowLeft: current - stepWidth,
      ArrowRight: current + stepWidth,
      Home: minWidth,
      End: max,
    }
    const nextWidth = nextWidths[event.key]
    if (nextWidth === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (nextWidth === undefined) onWidth(undefined)
    else resize(nextWidth, event.currentTarget)
  }
  return (
    // a focusable separator is a widget
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={separator}
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the span names"
      aria-controls={controlledId}
      aria-valuenow={widths.current}
      aria-valuemin={minWidth}
      aria-valuemax={widths.max}
      aria-valuetext={`${widths.current} pixels`}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={css.split}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        event.currentTarget.dataset.dragged = ''
      }}
      onPointerMove={onPointerMove}
      onLostPointerCapture={({ currentTarget }) => delete currentTarget.dataset.dragged}
      onDoubleClick={() => onWidth(undefined)}
      onKeyDown={onKeyDown}
    />
  )
}

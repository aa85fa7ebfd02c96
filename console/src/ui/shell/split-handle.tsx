import type { KeyboardEvent, PointerEvent } from 'react'
import css from './split-handle.module.css'

/** The widths that a part may have, in pixels. */
export interface WidthRange {
  min: number
  max: number
}

/** How far an arrow key moves the edge, in pixels. */
const stepPx = 16

export interface SplitHandleProps {
  /** What the handle resizes: 'Width of the list'. */
  label: string
  width: number
  range: WidthRange
  /** Called while the edge moves. */
  onChange: (width: number) => void
  /** Called with the final width. */
  onCommit: (width: number) => void
  /** Restores the default width. */
  onReset: () => void
}

/** The edge between two parts, which the pointer drags and the arrow keys move. It resizes its parent element. */
export const SplitHandle = ({ label, width, range, onChange, onCommit, onReset }: SplitHandleProps) => {
  const limit = (next: number) => Math.round(Math.min(range.max, Math.max(range.min, next)))
  const readWidth = ({ currentTarget, clientX }: PointerEvent) =>
    limit(clientX - (currentTarget.parentElement?.getBoundingClientRect().left ?? 0))
  const onKeyDown = (event: KeyboardEvent) => {
    // in a small window, the part is narrower than its chosen width
    const shownWidth = event.currentTarget.parentElement?.offsetWidth || width
    const next = { ArrowLeft: shownWidth - stepPx, ArrowRight: shownWidth + stepPx, Home: range.min, End: range.max }[
      event.key
    ]
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    onCommit(limit(next))
  }
  return (
    // a focusable separator is a widget: its value is the position
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={css.handle}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={limit(width)}
      aria-valuemin={range.min}
      aria-valuemax={range.max}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={onReset}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.focus()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onChange(readWidth(event))
      }}
      onPointerUp={(event) => {
        // a press without a movement changes nothing
        if (event.currentTarget.hasPointerCapture(event.pointerId) && readWidth(event) !== width)
          onChange(readWidth(event))
      }}
      onLostPointerCapture={() => onCommit(limit(width))}
    />
  )
}

import type { KeyboardEvent, PointerEvent } from 'react'
import css from './waterfall.module.css'

export interface WaterfallSplitProps {
  /** Width of the name column in pixels; undefined for the default. */
  width: number | undefined
  onWidth: (width: number | undefined) => void
}

const minWidth = 160
const maxWidth = 1000
/** Minimum width of the column in the style sheet. */
const defaultWidth = 300
const stepWidth = 16

/** Resizes the name column by dragging or with the arrow keys. A double click restores the default width. */
export const WaterfallSplit = ({ width, onWidth }: WaterfallSplitProps) => {
  const resize = (pixels: number, element: Element) =>
    onWidth(Math.round(Math.min(Math.max(pixels, minWidth), maxWidth, (element.parentElement?.clientWidth ?? 0) * 0.7)))
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    if (!currentTarget.matches('[data-dragged]')) return
    resize(clientX - (currentTarget.parentElement?.getBoundingClientRect().left ?? 0), currentTarget)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowLeft: -stepWidth, ArrowRight: stepWidth }[event.key]
    if (step === undefined) return
    event.preventDefault()
    resize(event.currentTarget.offsetLeft + step, event.currentTarget)
  }
  return (
    // a focusable separator is a widget
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the span names"
      aria-valuenow={width ?? defaultWidth}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
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

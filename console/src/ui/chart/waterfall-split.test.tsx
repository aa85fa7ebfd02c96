import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WaterfallSplit } from './waterfall-split'

/** The default width of the name column in the test. */
const defaultWidth = 410
let waterfallWidth = 1200
/** jsdom has no layout: the separator is 4 pixels left of the column's edge, as in the style sheet. */
let columnWidth = defaultWidth

const Waterfall = () => {
  const [width, setWidth] = useState<number>()
  columnWidth = width ?? defaultWidth
  return (
    <div id="waterfall">
      <WaterfallSplit controlledId="waterfall" width={width} onWidth={setWidth} />
    </div>
  )
}

const separator = () => screen.getByRole('separator', { name: 'Width of the span names' })
const readValues = () =>
  ['aria-valuemin', 'aria-valuenow', 'aria-valuemax'].map((name) => Number(separator().getAttribute(name)))
const pressKey = (key: string) => {
  fireEvent.keyDown(separator(), { key })
  return readValues()[1]
}

beforeEach(() => {
  waterfallWidth = 1200
  vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(() => columnWidth - 4)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockImplementation(() => waterfallWidth)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it('reports the width that the column has, and its limits', () => {
  render(<Waterfall />)
  expect(readValues()).toEqual([160, 410, 840])
  expect(separator().getAttribute('aria-controls')).toBe('waterfall')
})

it('moves by 16 pixels with the arrow keys, and to the limits with Home and End', () => {
  render(<Waterfall />)
  expect(['ArrowRight', 'ArrowRight', 'ArrowLeft'].map(pressKey)).toEqual([426, 442, 426])
  expect(['End', 'ArrowRight', 'Home', 'ArrowLeft'].map(pressKey)).toEqual([840, 840, 160, 160])
})

it('restores the default width with Enter', () => {
  render(<Waterfall />)
  expect(['End', 'Enter'].map(pressKey)).toEqual([840, 410])
})

it('has no negative range in a very narrow window', () => {
  waterfallWidth = 200
  render(<Waterfall />)
  expect(readValues()[2]).toBe(160)
})

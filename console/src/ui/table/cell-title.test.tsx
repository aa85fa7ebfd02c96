import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { setCutCellTitle } from './cell-title'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it.each([
  ['fits', 140, undefined],
  ['is cut by less than the padding', 141, 'not answered 487'],
  ['is cut by more than the padding', 300, 'not answered 487'],
])('sets the title of a cell only if its text is cut: the text %s', (_, textWidth, title) => {
  vi.spyOn(Range.prototype, 'getBoundingClientRect').mockReturnValue({ width: textWidth } as DOMRect)
  render(
    <table>
      <tbody onPointerMove={setCutCellTitle}>
        <tr>
          <td style={{ padding: 12 }}>not answered 487</td>
        </tr>
      </tbody>
    </table>,
  )
  const cell = screen.getByRole('cell')
  Object.defineProperties(cell, { clientWidth: { value: 164 }, innerText: { value: 'not answered 487' } })
  fireEvent.pointerMove(cell)
  expect(cell.getAttribute('title') ?? undefined).toBe(title)
})

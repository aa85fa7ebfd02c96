/** The height of a row without a note, including its border, in pixels. */
export const rowHeightPx = 45

/** The parts of a row that can take the focus. */
export type RowPart = 'handle' | 'regex' | 'up' | 'down'

const findPart = (list: HTMLElement, key: string, part: RowPart) =>
  [...list.querySelectorAll<HTMLElement>('[data-key]')]
    .find((row) => row.dataset.key === key)
    ?.querySelector<HTMLElement>(`[data-part="${part}"]:not(:disabled)`)

/** Focuses a part of a row. Waits up to ten frames for the row, because long lists render only the visible rows. */
export const focusRow = (list: HTMLElement | null, key: string, part: RowPart, remainingFrames = 10) => {
  if (!list) return
  const element = findPart(list, key, part) ?? findPart(list, key, 'handle')
  if (element) {
    element.focus()
    element.scrollIntoView({ block: 'nearest' })
  } else if (remainingFrames > 1) requestAnimationFrame(() => focusRow(list, key, part, remainingFrames - 1))
}

/** Scrolls an index of a long list into view, whether its row is rendered or not. */
export const revealRow = (list: HTMLElement | null, index: number) => {
  if (!list || list.scrollHeight <= list.clientHeight) return
  const topPx = index * rowHeightPx
  if (topPx < list.scrollTop || topPx + rowHeightPx > list.scrollTop + list.clientHeight)
    list.scrollTop = topPx - list.clientHeight / 2
}

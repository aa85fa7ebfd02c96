/** The height of a row without a note, including its border, in pixels. */
export const rowHeight = 45

/** The parts of a row that can take the focus. */
export type RowPart = 'grip' | 'regex' | 'up' | 'down'

const findPart = (list: HTMLElement, key: string, part: RowPart) =>
  [...list.querySelectorAll<HTMLElement>('[data-key]')]
    .find((row) => row.dataset.key === key)
    ?.querySelector<HTMLElement>(`[data-part="${part}"]:not(:disabled)`)

/** Focuses a part of a row. Waits some frames for the row, because long lists render only the visible rows. */
export const focusRow = (list: HTMLElement | null, key: string, part: RowPart, frames = 10) => {
  if (!list) return
  const element = findPart(list, key, part) ?? findPart(list, key, 'grip')
  if (element) {
    element.focus()
    element.scrollIntoView({ block: 'nearest' })
  } else if (frames > 1) requestAnimationFrame(() => focusRow(list, key, part, frames - 1))
}

/** Scrolls an index of a long list into view, whether its row is rendered or not. */
export const revealRow = (list: HTMLElement | null, index: number) => {
  if (!list || list.scrollHeight <= list.clientHeight) return
  const top = index * rowHeight
  if (top < list.scrollTop || top + rowHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top - list.clientHeight / 2
}

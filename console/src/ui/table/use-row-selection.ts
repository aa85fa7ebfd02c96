import { useEffect, useRef, type KeyboardEvent } from 'react'

/**
 * Returns the row index that a key moves to; `page` is the number of rows per page. The caller limits it to the list.
 */
export type RowMove = (at: number, page: number, count: number) => number

const usual: Record<string, RowMove> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, page) => at + page,
  PageUp: (at, page) => at - page,
  Home: () => 0,
  End: (_, __, count) => count,
}

export interface RowSelectionOptions {
  /** Ids of all rows, including those not rendered. */
  ids: readonly string[]
  chosen: string | undefined
  onChoose: (id: string) => void
  rowHeight: number
  /** Height in pixels of the header that stays at the top while the rows scroll. */
  head?: number
  /** Additional keys for this list. */
  more?: Record<string, RowMove>
}

/** Selects one row of a list, by pointer or keyboard, and scrolls it into view. */
export const useRowSelection = ({ ids, chosen, onChoose, rowHeight, head = 0, more = {} }: RowSelectionOptions) => {
  const scroller = useRef<HTMLDivElement>(null)
  const at = chosen === undefined ? -1 : ids.indexOf(chosen)
  const room = () => (scroller.current?.clientHeight ?? 0) - head

  const bringIntoView = (place: number) => {
    const node = scroller.current
    if (!node) return
    const top = place * rowHeight
    if (top < node.scrollTop) node.scrollTop = top
    else if (top + rowHeight > node.scrollTop + room()) node.scrollTop = top + rowHeight - room()
  }
  const choose = (place: number) => {
    const id = ids[place]
    if (id === undefined) return
    onChoose(id)
    bringIntoView(place)
  }
  const known = useRef(chosen)
  useEffect(() => {
    // also scroll to a row that was selected outside the list; keep the scroll position if the row only changed its
    // index
    if (known.current === chosen) return
    known.current = chosen
    if (at >= 0) bringIntoView(at)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const way = more[event.key] ?? usual[event.key]
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const page = Math.max(1, Math.floor(room() / rowHeight) - 1)
    choose(Math.min(ids.length - 1, Math.max(0, way(at, page, ids.length))))
  }
  /** Returns the index of the row under the pointer, or -1. */
  const placeOf = (target: EventTarget) => {
    const hit = (target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset.row
    return hit === undefined ? -1 : ids.indexOf(hit)
  }
  return { scroller, at, choose, onKeyDown, placeOf }
}

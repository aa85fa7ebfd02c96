import { useEffect, useRef, type KeyboardEvent } from 'react'

/**
 * Returns the row index that a key moves to; `pageRows` is the number of rows per page. The caller clamps it to the rows
 * that exist.
 */
export type RowMove = (index: number, pageRows: number, count: number) => number

const defaultMoves: Record<string, RowMove> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index, pageRows) => index + pageRows,
  PageUp: (index, pageRows) => index - pageRows,
  Home: () => 0,
  End: (_index, _pageRows, count) => count,
}

export interface ActiveRowOptions {
  /** Ids of all rows, including those not rendered. */
  ids: readonly string[]
  activeId: string | undefined
  onActivate: (id: string) => void
  rowHeight: number
  /** Height in pixels of the header that stays at the top while the rows scroll. */
  headHeight?: number
  /** Additional keys for this list. */
  extraMoves?: Record<string, RowMove>
}

/** Makes one row of a list the active one, by pointer or keyboard, and scrolls it into view. */
export const useActiveRow = ({
  ids,
  activeId,
  onActivate,
  rowHeight,
  headHeight = 0,
  extraMoves = {},
}: ActiveRowOptions) => {
  const scroller = useRef<HTMLDivElement>(null)
  const activeIndex = activeId === undefined ? -1 : ids.indexOf(activeId)
  const measureVisibleHeight = () => (scroller.current?.clientHeight ?? 0) - headHeight

  const scrollToRow = (index: number) => {
    const node = scroller.current
    if (!node) return
    const top = index * rowHeight
    if (top < node.scrollTop) node.scrollTop = top
    else if (top + rowHeight > node.scrollTop + measureVisibleHeight())
      node.scrollTop = top + rowHeight - measureVisibleHeight()
  }
  const activate = (index: number) => {
    const id = ids[index]
    if (id === undefined) return
    onActivate(id)
    scrollToRow(index)
  }
  const lastActiveId = useRef(activeId)
  useEffect(() => {
    // also scroll to a row that became active outside the list; keep the scroll position if the row only changed its
    // index
    if (lastActiveId.current === activeId) return
    lastActiveId.current = activeId
    if (activeIndex >= 0) scrollToRow(activeIndex)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const move = extraMoves[event.key] ?? defaultMoves[event.key]
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const pageRows = Math.max(1, Math.floor(measureVisibleHeight() / rowHeight) - 1)
    activate(Math.min(ids.length - 1, Math.max(0, move(activeIndex, pageRows, ids.length))))
  }
  /** Returns the index of the row under the pointer, or -1. */
  const rowIndexOf = (target: EventTarget) => {
    const id = (target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset.row
    return id === undefined ? -1 : ids.indexOf(id)
  }
  return { scroller, activeIndex, activate, onKeyDown, rowIndexOf }
}

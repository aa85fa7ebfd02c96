import { useEffect, useRef, type KeyboardEvent } from 'react'

/** Where a key leads from a row, with so many on a page; beyond the ends is at the ends. */
export type Way = (at: number, page: number, count: number) => number

const usual: Record<string, Way> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, page) => at + page,
  PageUp: (at, page) => at - page,
  Home: () => 0,
  End: (_, __, count) => count,
}

export interface RowChoiceOptions {
  /** Of all rows, whether they are drawn or not. */
  ids: readonly string[]
  chosen: string | undefined
  onChoose: (id: string) => void
  rowHeight: number
  /** The height of what stays at the top while the rows scroll. */
  head?: number
  /** Ways of this list alone. */
  more?: Record<string, Way>
}

/** One row of many is chosen, by keys as well, and comes into view. */
export const useRowChoice = ({ ids, chosen, onChoose, rowHeight, head = 0, more = {} }: RowChoiceOptions) => {
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
    // chosen beside the list, it comes into view as well; where it merely moves, it is left where it is
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
  /** The place of the row that was hit by a pointer; -1 beside all of them. */
  const placeOf = (target: EventTarget) => {
    const hit = (target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset.row
    return hit === undefined ? -1 : ids.indexOf(hit)
  }
  return { scroller, at, choose, onKeyDown, placeOf }
}

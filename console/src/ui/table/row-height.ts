import { useSyncExternalStore } from 'react'

/** The heights of a row in pixels. The style sheet has the same as `--h-row`. */
const heights = { normal: 36, compact: 30 }

const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const getRowHeight = () => ('compactRows' in document.documentElement.dataset ? heights.compact : heights.normal)

/** Makes the rows of all tables lower, or resets their height. */
export const setCompactRows = (isCompact: boolean) => {
  document.documentElement.toggleAttribute('data-compact-rows', isCompact)
  for (const listener of listeners) listener()
}

/** The height of a row of a table in pixels. */
export const useRowHeight = (): number => useSyncExternalStore(subscribe, getRowHeight)

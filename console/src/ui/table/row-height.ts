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

const isCompact = () => 'compactRows' in document.documentElement.dataset

/** Makes the rows of all tables lower, or resets their height. */
export const setCompactRows = (compact: boolean) => {
  document.documentElement.toggleAttribute('data-compact-rows', compact)
  for (const listener of listeners) listener()
}

/** Whether the rows of tables are lower than usual. */
export const useHasCompactRows = (): boolean => useSyncExternalStore(subscribe, isCompact)

/** The height of a row of a table in pixels. */
export const useRowHeight = (): number => heights[useHasCompactRows() ? 'compact' : 'normal']

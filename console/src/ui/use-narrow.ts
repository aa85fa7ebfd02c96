import { useCallback, useSyncExternalStore } from 'react'

/** Whether the window is at most so wide. */
export const useMaxWidth = (maxPixels: number) => {
  const query = `(max-width: ${maxPixels}px)`
  const watch = useCallback(
    (tell: () => void) => {
      const list = window.matchMedia?.(query)
      list?.addEventListener('change', tell)
      return () => list?.removeEventListener('change', tell)
    },
    [query],
  )
  return useSyncExternalStore(watch, () => window.matchMedia?.(query).matches ?? false)
}

/** Whether the window is too narrow for a table, which would hide half of its columns: rows are cards then. */
export const useNarrow = () => useMaxWidth(899)

import { useCallback, useSyncExternalStore } from 'react'

/** Whether the window is at most this wide. */
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

/** Whether the window is too narrow for a table, which would hide half of its columns. Lists then show cards. */
export const useIsNarrow = () => useMaxWidth(899)

import { useCallback, useSyncExternalStore } from 'react'

/** Whether the window is at most this wide. */
export const useMaxWidth = (maxPixels: number) => {
  const query = `(max-width: ${maxPixels}px)`
  const subscribe = useCallback(
    (listener: () => void) => {
      const mediaQuery = window.matchMedia?.(query)
      mediaQuery?.addEventListener('change', listener)
      return () => mediaQuery?.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia?.(query).matches ?? false)
}

/** Whether the window is too narrow for a table, which would hide half of its columns. Lists then show cards. */
export const useIsNarrow = () => useMaxWidth(899)

import { useSyncExternalStore } from 'react'

const query = '(max-width: 639px)'

const watch = (tell: () => void) => {
  const list = window.matchMedia?.(query)
  list?.addEventListener('change', tell)
  return () => list?.removeEventListener('change', tell)
}

/** Whether the window is too narrow for a table. */
export const useNarrow = () => useSyncExternalStore(watch, () => window.matchMedia?.(query).matches ?? false)

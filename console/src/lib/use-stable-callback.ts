import { useCallback, useInsertionEffect, useRef } from 'react'

/** Returns a function with a stable identity that always runs the latest `callback`. Do not call it while rendering. */
export const useStableCallback = <Args extends unknown[], Result>(callback: (...args: Args) => Result) => {
  const latestCallback = useRef(callback)
  useInsertionEffect(() => {
    latestCallback.current = callback
  })
  return useCallback((...args: Args) => latestCallback.current(...args), [])
}

import { useCallback, useInsertionEffect, useRef } from 'react'

/** A function that keeps its identity over all renders and always runs the newest `callback`. Not for use while rendering. */
export const useStableCallback = <Args extends unknown[], Result>(callback: (...args: Args) => Result) => {
  const newest = useRef(callback)
  useInsertionEffect(() => {
    newest.current = callback
  })
  return useCallback((...args: Args) => newest.current(...args), [])
}

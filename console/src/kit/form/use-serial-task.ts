import { useRef, useState } from 'react'

/**
 * Runs one task at a time. If `run` is called while a task is running, the task runs again afterwards, but only if it
 * reports that work is left.
 */
export const useSerialTask = () => {
  const [isRunning, setIsRunning] = useState(false)
  /** Like `isRunning`, but up to date before the next render. */
  const isBusy = useRef(false)
  const shouldRerun = useRef(false)
  /** `task` returns whether work is left. `rerun` is called to run it again. */
  const run = async (task: () => Promise<boolean>, rerun: () => void) => {
    shouldRerun.current = isBusy.current
    if (isBusy.current) return
    isBusy.current = true
    setIsRunning(true)
    try {
      const isWorkLeft = await task()
      if (!isWorkLeft) shouldRerun.current = false
    } finally {
      isBusy.current = false
      setIsRunning(false)
    }
    if (shouldRerun.current) rerun()
  }
  return { isRunning, run }
}

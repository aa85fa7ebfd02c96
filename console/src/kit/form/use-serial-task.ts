import { useRef, useState } from 'react'

/**
 * Runs one task at a time. A request during a task is not lost: it runs afterwards, if the task leaves anything to do.
 */
export const useSerialTask = () => {
  const [busy, setBusy] = useState(false)
  const atWork = useRef(false)
  const isRequested = useRef(false)
  /** `work` returns whether anything is left to do. */
  const take = async (work: () => Promise<boolean>, next: () => void) => {
    isRequested.current = atWork.current
    if (atWork.current) return
    atWork.current = true
    setBusy(true)
    const left = await work()
    atWork.current = false
    setBusy(false)
    if (left && isRequested.current) next()
  }
  return { busy, take }
}

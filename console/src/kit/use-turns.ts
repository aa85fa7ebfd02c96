import { useRef, useState } from 'react'

/** One piece of work at a time. Who asks for another meanwhile is not forgotten: it follows, if the first leaves anything to do. */
export const useTurns = () => {
  const [busy, setBusy] = useState(false)
  const atWork = useRef(false)
  const asked = useRef(false)
  /** `work` answers whether something is left to do. */
  const take = async (work: () => Promise<boolean>, next: () => void) => {
    asked.current = atWork.current
    if (atWork.current) return
    atWork.current = true
    setBusy(true)
    const left = await work()
    atWork.current = false
    setBusy(false)
    if (left && asked.current) next()
  }
  return { busy, take }
}

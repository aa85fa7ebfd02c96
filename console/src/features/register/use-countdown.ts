import { useEffect, useState } from 'react'

/** The whole seconds until a time (ms since 1970), updated every second; 0 once it has passed. */
export const useCountdown = (until: number): number => {
  const [now, setNow] = useState(Date.now)
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  const isRunning = seconds > 0
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return seconds
}

/** Minutes and seconds: 0:24. */
export const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

import { isPageUnloading } from './page-unload'

/** The pause before each retry. Together 2.5 seconds, so that users soon learn about a server that is down. */
const pausesMs = [300, 700, 1500]

let interruptedCount = 0
let onInterruption: (isInterrupted: boolean) => void = () => {}

/** Sets the function that shows whether requests wait for the server to be reachable again. The app sets it once. */
export const setInterruptionHandler = (handler: (isInterrupted: boolean) => void) => {
  onInterruption = handler
}

const countInterrupted = (change: 1 | -1) => {
  const wasInterrupted = interruptedCount > 0
  interruptedCount += change
  const isInterrupted = interruptedCount > 0
  if (isInterrupted !== wasInterrupted) onInterruption(isInterrupted)
}

/** Ends early when the browser is online again, and when the request is aborted. */
const pause = (durationMs: number, signal: AbortSignal | null | undefined) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, durationMs)
    addEventListener('online', end)
    signal?.addEventListener('abort', end, { once: true })
  })

/**
 * Like `fetch`, but retries after network errors, to survive a short interruption. Only for requests that change
 * nothing: the server may have received a failed request. Rejects with the error of the last attempt.
 */
export const fetchWithRetry = async (url: string, init: RequestInit): Promise<Response> => {
  const isPointless = () => init.signal?.aborted === true || isPageUnloading()
  try {
    return await fetch(url, init)
  } catch (firstError) {
    if (isPointless()) throw firstError
    countInterrupted(1)
    try {
      let lastError = firstError
      for (const pauseMs of pausesMs) {
        await pause(pauseMs, init.signal)
        try {
          return await fetch(url, init)
        } catch (error) {
          lastError = error
          if (isPointless()) break
        }
      }
      throw lastError
    } finally {
      countInterrupted(-1)
    }
  }
}

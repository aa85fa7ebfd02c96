import { isPageUnloading } from './page-unload'

/** The pause before each retry. Together 2.5 seconds, so that users soon learn about a server that is down. */
const pausesMs = [300, 700, 1500]

let waitingRequests = 0
let onInterruption: (isInterrupted: boolean) => void = () => {}

/** Sets the function that shows whether requests wait for the server to be reachable again. The app sets it once. */
export const setInterruptionHandler = (handler: (isInterrupted: boolean) => void) => {
  onInterruption = handler
}

const countWaiting = (change: 1 | -1) => {
  waitingRequests += change
  onInterruption(waitingRequests > 0)
}

/** Ends early when the browser is online again. */
const pause = (durationMs: number) =>
  new Promise<unknown>((resolve) => {
    setTimeout(resolve, durationMs)
    addEventListener('online', resolve, { signal: AbortSignal.timeout(durationMs) })
  })

/**
 * Like `fetch`, but retries after network errors, to survive a short interruption. Only for requests that change
 * nothing: the server may have received a failed request. Rejects with the error of the last attempt.
 */
export const fetchWithRetry = async (url: string, init: RequestInit, pauses = pausesMs): Promise<Response> => {
  try {
    return await fetch(url, init)
  } catch (error) {
    const [pauseMs, ...laterPauses] = pauses
    if (!pauseMs || init.signal?.aborted || isPageUnloading()) throw error
    countWaiting(1)
    // the next attempt counts too, so that the number stays above 0 until the last one
    return await pause(pauseMs)
      .then(() => fetchWithRetry(url, init, laterPauses))
      .finally(() => countWaiting(-1))
  }
}

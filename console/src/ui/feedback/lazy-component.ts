import { lazy, type ComponentType } from 'react'

/** Thrown if code of the console does not load: the server is unreachable, or an upgrade replaced its files. */
export class CodeNotLoaded extends Error {
  readonly isServerReachable: boolean

  constructor(isServerReachable: boolean, cause: unknown) {
    // Leave out the browser's error message: the router would recognise it and reload the window, which could end on
    // the browser's error page.
    super('A part of the console could not be loaded', { cause })
    this.name = 'CodeNotLoaded'
    this.isServerReachable = isServerReachable
  }
}

let isServerReachable = () => Promise.resolve(true)

/** Sets the function that checks whether the server responds. */
export const setReachabilityCheck = (check: () => Promise<boolean>) => {
  isServerReachable = check
}

const waitUntilOnline = () => new Promise((resolve) => addEventListener('online', resolve, { once: true }))
const delay = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs))

const retryAfterMs = 500

/**
 * Runs `load`, and retries once after a failure, to survive a short network interruption. Waits for a connection if the
 * browser is offline. Rejects with CodeNotLoaded.
 */
export const loadWithRetry = async <Loaded>(load: () => Promise<Loaded>): Promise<Loaded> => {
  try {
    return await load()
  } catch {
    await (navigator.onLine ? delay(retryAfterMs) : waitUntilOnline())
    try {
      return await load()
    } catch (error) {
      throw new CodeNotLoaded(await isServerReachable(), error)
    }
  }
}

/** Like React's `lazy`, but retries a failed load. `lazy` caches a failure for good, and the whole screen fails. */
// `lazy` has the same constraint
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const lazyComponent = <Component extends ComponentType<any>>(load: () => Promise<Component>) =>
  lazy(async () => ({ default: await loadWithRetry(load) }))

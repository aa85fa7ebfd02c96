import { lazy, type ComponentType } from 'react'

/** Code of the console that did not arrive: the server is away, or it has other files since an upgrade. */
export class CodeNotLoaded extends Error {
  readonly isServerReachable: boolean

  constructor(isServerReachable: boolean, cause: unknown) {
    // no words of the browser in it: the router would reload the window over them, into the browser's own error page
    super('A part of the console could not be loaded', { cause })
    this.name = 'CodeNotLoaded'
    this.isServerReachable = isServerReachable
  }
}

let isServerReachable = () => Promise.resolve(true)

/** Sets how to find out whether the server answers at all. */
export const setReachabilityCheck = (check: () => Promise<boolean>) => {
  isServerReachable = check
}

const untilOnline = () => new Promise((done) => addEventListener('online', done, { once: true }))
const delay = (timeMs: number) => new Promise((done) => setTimeout(done, timeMs))

const retryAfterMs = 500

/**
 * Loads code with `load`, and once more after a failure: a connection that drops for a moment costs a moment. Without a
 * network it waits for one. Rejects with CodeNotLoaded.
 */
export const loadLate = async <Loaded>(load: () => Promise<Loaded>): Promise<Loaded> => {
  try {
    return await load()
  } catch {
    await (navigator.onLine ? delay(retryAfterMs) : untilOnline())
    try {
      return await load()
    } catch (error) {
      throw new CodeNotLoaded(await isServerReachable(), error)
    }
  }
}

/**
 * A component that is fetched when it is first drawn. As React's `lazy`, which remembers a failure for good and so
 * takes the whole page down with it, but a line that was away for a moment costs a moment and no more.
 */
// any props: what `lazy` itself asks for
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const late = <Component extends ComponentType<any>>(load: () => Promise<Component>) =>
  lazy(async () => ({ default: await loadLate(load) }))

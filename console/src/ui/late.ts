import { lazy, type ComponentType } from 'react'

const online = () => new Promise((done) => addEventListener('online', done, { once: true }))
const moment = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

/** Loads what `load` names. Without a line it waits for one; else it tries again, `tries` times in all. */
export const loadLate = async <Found>(load: () => Promise<Found>, tries = 3): Promise<Found> => {
  try {
    return await load()
  } catch (error) {
    if (tries <= 1) throw error
    await (navigator.onLine ? moment(1000) : online())
    return loadLate(load, tries - 1)
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

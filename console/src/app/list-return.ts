import type { AnyRouter, RouterHistory } from '@tanstack/react-router'
import { getSection } from '../lib/paths'
import { sessionValues } from '../lib/storage'
import { findScreen } from './screens'

interface Place {
  pathname: string
  href: string
}

/** The scroll position of each list, by URL. */
const scrollTops = new Map<string, number>()
const maxScrollTops = 50
const restoreTimeoutMs = 5000

const isTopLevelScreen = (pathname: string) => {
  const screen = findScreen(pathname)
  return screen !== undefined && screen.parent === undefined
}

const listRegion = () => document.querySelector<HTMLElement>('#main [role=region][tabindex]')

/** Saves the URL and scroll position of a list when the user leaves it. */
const rememberList = ({ pathname, href }: Place) => {
  const region = isTopLevelScreen(pathname) ? listRegion() : null
  if (!region) return
  sessionValues.list.set(href)
  scrollTops.delete(href)
  scrollTops.set(href, region.scrollTop)
  const [oldest] = scrollTops.keys()
  if (scrollTops.size > maxScrollTops && oldest !== undefined) scrollTops.delete(oldest)
}

/** The query string that this list had when the user last left it, or '' if another list was visited since. */
export const getLastListSearch = (pathname: string): string => {
  const [path, search = ''] = (sessionValues.list.get() ?? '').split('?')
  return path === pathname ? search : ''
}

const isBusy = (region: HTMLElement) => region.getAttribute('aria-busy') === 'true'

/** Restores a list's scroll position and focuses the row that was open, once the rows have loaded. */
const restoreList = (href: string, openedPath: string) => {
  const top = scrollTops.get(href)
  if (top === undefined) return
  const giveUpAt = performance.now() + restoreTimeoutMs
  let isInterrupted = false
  const interrupt = () => {
    isInterrupted = true
  }
  const events = ['pointerdown', 'wheel', 'keydown'] as const
  for (const event of events) addEventListener(event, interrupt, { once: true, capture: true })
  const finish = (link: HTMLElement | null | undefined) => {
    for (const event of events) removeEventListener(event, interrupt, { capture: true })
    // keep the focus if the user has moved it meanwhile
    const isFocusFree = document.activeElement?.matches('main, body') ?? true
    if (!isInterrupted && isFocusFree) link?.focus({ preventScroll: true })
  }
  const attempt = () => {
    const region = listRegion()
    const link = region?.querySelector<HTMLElement>(`a[href="${CSS.escape(openedPath)}"]`)
    if (region && !isInterrupted) region.scrollTop = top
    const isDone = region && (link ?? !isBusy(region))
    if (isDone || isInterrupted || performance.now() > giveUpAt) finish(link)
    else requestAnimationFrame(attempt)
  }
  attempt()
}

/** Restores scroll position and focus when the user returns to a list. */
export const trackListReturn = (router: AnyRouter) => {
  let isHistoryMove = false
  const undo = [
    (router.history as RouterHistory).subscribe(({ action: { type } }) => {
      isHistoryMove = type === 'BACK' || type === 'FORWARD' || type === 'GO'
    }),
    router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
      if (fromLocation && pathChanged) rememberList(fromLocation)
    }),
    router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged || !isTopLevelScreen(toLocation.pathname)) return
      if (isHistoryMove || getSection(fromLocation.pathname) === getSection(toLocation.pathname))
        restoreList(toLocation.href, fromLocation.pathname)
    }),
  ]
  return () => undo.forEach((each) => each())
}

import type { AnyRouter, RouterHistory } from '@tanstack/react-router'
import { getArea } from '../lib/paths'
import { sessionValues } from '../lib/storage'
import { findScreen } from './screens'

interface ListLocation {
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

const findListRegion = () => document.querySelector<HTMLElement>('#main [role=region][tabindex]')

/** Saves the URL and scroll position of a list when the user leaves it. */
const saveListPosition = ({ pathname, href }: ListLocation) => {
  const region = isTopLevelScreen(pathname) ? findListRegion() : null
  if (!region) return
  sessionValues.lastListUrl.set(href)
  scrollTops.delete(href)
  scrollTops.set(href, region.scrollTop)
  const [oldest] = scrollTops.keys()
  if (scrollTops.size > maxScrollTops && oldest !== undefined) scrollTops.delete(oldest)
}

/**
 * The query string that this list had when the user last left it, with or without an open row, or '' if another list was
 * visited since.
 */
export const getLastListSearch = (pathname: string): string => {
  const [path = '', search = ''] = (sessionValues.lastListUrl.get() ?? '').split('?')
  return `${path}/`.startsWith(`${pathname}/`) ? search : ''
}

/** The link to the screen that the user left, or to the record that the screen belongs to. */
const findLinkTo = (region: HTMLElement | null, leftPath: string): HTMLElement | null | undefined => {
  const link = region?.querySelector<HTMLElement>(`a[href="${CSS.escape(leftPath)}"]`)
  const parentPath = leftPath.slice(0, leftPath.lastIndexOf('/'))
  return link || parentPath === '' ? link : findLinkTo(region, parentPath)
}

const isBusy = (region: HTMLElement) => region.getAttribute('aria-busy') === 'true'

/** Restores a list's scroll position and focuses the link to the screen that the user left, once the rows have loaded. */
const restoreList = (href: string, leftPath: string) => {
  const scrollTop = scrollTops.get(href)
  if (scrollTop === undefined) return
  const deadlineMs = performance.now() + restoreTimeoutMs
  let isInterrupted = false
  const interrupt = () => {
    isInterrupted = true
  }
  const events = ['pointerdown', 'wheel', 'keydown'] as const
  for (const event of events) addEventListener(event, interrupt, { once: true, capture: true })
  const finish = (link: HTMLElement | null | undefined) => {
    for (const event of events) removeEventListener(event, interrupt, { capture: true })
    // keep the focus if the user has moved it meanwhile
    const isFocusUnset = document.activeElement?.matches('main, body') ?? true
    if (!isInterrupted && isFocusUnset) link?.focus({ preventScroll: true })
  }
  const tryRestore = () => {
    const region = findListRegion()
    const link = findLinkTo(region, leftPath)
    if (region && !isInterrupted) region.scrollTop = scrollTop
    const isDone = region && (link ?? !isBusy(region))
    if (isDone || isInterrupted || performance.now() > deadlineMs) finish(link)
    else requestAnimationFrame(tryRestore)
  }
  tryRestore()
}

/** Restores scroll position and focus when the user returns to a list. */
export const trackListReturn = (router: AnyRouter) => {
  let isHistoryMove = false
  const unsubscribers = [
    (router.history as RouterHistory).subscribe(({ action: { type } }) => {
      isHistoryMove = type === 'BACK' || type === 'FORWARD' || type === 'GO'
    }),
    router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
      if (fromLocation && pathChanged) saveListPosition(fromLocation)
    }),
    router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged || !isTopLevelScreen(toLocation.pathname)) return
      if (isHistoryMove || getArea(fromLocation.pathname) === getArea(toLocation.pathname))
        restoreList(toLocation.href, fromLocation.pathname)
    }),
  ]
  return () => unsubscribers.forEach((unsubscribe) => unsubscribe())
}

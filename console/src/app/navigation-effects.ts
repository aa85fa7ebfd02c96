import type { AnyRouter } from '@tanstack/react-router'
import { getArea, paths } from '../lib/paths'
import { clearSavedFilters, sessionValues } from '../lib/storage'

const productName = 'Trunkline'

/** Sets the document title, screen name first because browser tabs truncate it. */
export const setDocumentTitle = (...titleParts: string[]) => {
  document.title = [...titleParts, productName].join(' · ')
}

const getRouteTitles = (router: AnyRouter) => router.state.matches.flatMap(({ staticData: { title } }) => title ?? [])

/**
 * Moves focus to main, so that screen readers announce the new screen. The heading may not be rendered yet; main always
 * is.
 */
const focusScreen = () => {
  const focusedBefore = document.activeElement
  const focusMain = () => {
    const main = document.querySelector('main')
    const { activeElement } = document
    // keep the focus if the screen has already set it, for example on its first field, or the user has moved it
    if (!main || main.contains(activeElement)) return
    if (activeElement !== focusedBefore && activeElement !== document.body) return
    if (!main.hasAttribute('tabindex')) main.tabIndex = -1
    main.focus({ preventScroll: true })
  }
  // after the first paint: before it, the browser would lay out the screen for the focus and again for the paint
  requestAnimationFrame(() => setTimeout(focusMain))
}

/** Filters are kept within one area of the console. Entering another area, or the console from outside, clears them. */
const enterArea = (pathname: string) => {
  const area = pathname.startsWith(`${paths.internal}/`) ? getArea(pathname) : undefined
  if (!area || sessionValues.filterArea.get() !== area) clearSavedFilters()
  if (area) sessionValues.filterArea.set(area)
  else sessionValues.filterArea.clear()
}

/** On every navigation: sets the title, moves the focus, and clears filters of another area. */
export const registerNavigationEffects = (router: AnyRouter) => {
  enterArea(router.state.location.pathname)
  // screens inside the shell get their title from the breadcrumbs
  const setTitle = () => {
    const titles = getRouteTitles(router)
    if (titles.length > 0) setDocumentTitle(...titles)
  }
  setTitle()
  const unsubscribers = [
    router.subscribe('onBeforeLoad', ({ toLocation }) => enterArea(toLocation.pathname)),
    router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      setTitle()
      if (fromLocation && pathChanged) focusScreen()
    }),
  ]
  return () => unsubscribers.forEach((unsubscribe) => unsubscribe())
}

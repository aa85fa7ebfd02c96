import type { AnyRouter } from '@tanstack/react-router'
import { areaOf, paths } from '../lib/paths'
import { clearSavedFilters, passing } from '../lib/storage'

const product = 'Trunkline'

/** Names the window: the page first, because a tab shows little. */
export const nameWindow = (...words: string[]) => {
  document.title = [...words, product].join(' · ')
}

const titleOf = (router: AnyRouter) => router.state.matches.flatMap(({ staticData: { title } }) => title ?? [])

/** A new page is announced as one that was loaded would be. Its heading may still be on its way; main is always there. */
const focusPage = () => {
  const main = document.querySelector('main')
  // a page that put the focus into its first field knows better
  if (!main || main.contains(document.activeElement)) return
  if (!main.hasAttribute('tabindex')) main.tabIndex = -1
  main.focus({ preventScroll: true })
}

/** Filters are kept within one area of the console; whoever comes to another one, or from outside, begins without. */
const enterArea = (pathname: string) => {
  const area = pathname.startsWith(`${paths.internal}/`) ? areaOf(pathname) : undefined
  if (!area || passing.area.get() !== area) clearSavedFilters()
  if (area) passing.area.set(area)
  else passing.area.clear()
}

/** What happens with every change of page: its title, the focus, and the end of filters that belong to another area. */
export const followPages = (router: AnyRouter) => {
  enterArea(router.state.location.pathname)
  // pages inside the frame are named by their trail
  const setTitle = () => {
    const titles = titleOf(router)
    if (titles.length > 0) nameWindow(...titles)
  }
  setTitle()
  const undo = [
    router.subscribe('onBeforeLoad', ({ toLocation }) => enterArea(toLocation.pathname)),
    router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      setTitle()
      if (fromLocation && pathChanged) focusPage()
    }),
  ]
  return () => undo.forEach((each) => each())
}

import type { AnyRouter } from '@tanstack/react-router'
import { areaOf } from '../lib/paths'
import { clearSavedFilters } from '../lib/storage'

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

/** What happens with every change of page: its title, the focus, and the end of filters that belong to another area. */
export const followPages = (router: AnyRouter) => {
  clearSavedFilters()
  // pages inside the frame are named by their trail
  const setTitle = () => {
    const titles = titleOf(router)
    if (titles.length > 0) nameWindow(...titles)
  }
  setTitle()
  const undo = [
    router.subscribe('onBeforeLoad', ({ fromLocation, toLocation }) => {
      if (fromLocation && areaOf(fromLocation.pathname) !== areaOf(toLocation.pathname)) clearSavedFilters()
    }),
    router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      setTitle()
      if (fromLocation && pathChanged) focusPage()
    }),
  ]
  return () => undo.forEach((each) => each())
}

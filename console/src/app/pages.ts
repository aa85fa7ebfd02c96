import type { AnyRouter } from '@tanstack/react-router'
import { areaOf } from '../lib/paths'
import { clearSavedFilters } from '../lib/storage'

const product = 'Trunkline'

const titleOf = (router: AnyRouter) => {
  const titles = router.state.matches.map((match) => match.staticData.title).filter((each) => each !== undefined)
  return titles.length > 0 ? `${titles.join(' · ')} · ${product}` : product
}

/** A new page is announced by its heading, as a page that was loaded would be. */
const focusHeading = () => {
  // a page that put the focus into its first field knows better
  if (document.activeElement?.closest('main')) return
  const target = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  if (!target) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}

/** What happens with every change of page: its title, the focus, and the end of filters that belong to another area. */
export const followPages = (router: AnyRouter) => {
  clearSavedFilters()
  const setTitle = () => {
    document.title = titleOf(router)
  }
  setTitle()
  const undo = [
    router.subscribe('onBeforeLoad', ({ fromLocation, toLocation }) => {
      if (fromLocation && areaOf(fromLocation.pathname) !== areaOf(toLocation.pathname)) clearSavedFilters()
    }),
    router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      setTitle()
      if (fromLocation && pathChanged) focusHeading()
    }),
  ]
  return () => undo.forEach((each) => each())
}

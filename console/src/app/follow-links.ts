import type { AnyRouter, RouterHistory } from '@tanstack/react-router'

const anchorOf = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null

const stays = (anchor: HTMLAnchorElement) =>
  anchor.origin === window.location.origin && !anchor.target && !anchor.hasAttribute('download')

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.defaultPrevented && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

const addressOf = ({ pathname, search, hash }: HTMLAnchorElement) => pathname + search + hash

/** A link to an anchor on the current page, which the browser handles. */
const isHere = ({ pathname, search, hash }: HTMLAnchorElement) =>
  hash !== '' && pathname === window.location.pathname && search === window.location.search

/** Navigates to a URL inside the console. */
export const goTo = (router: AnyRouter, address: string) => (router.history as RouterHistory).push(address)

/**
 * Navigates internal links without a page load, for links of any component. Hover or focus preloads the page's code.
 */
export const followLinks = (router: AnyRouter) => {
  const follow = (event: MouseEvent) => {
    const anchor = anchorOf(event)
    if (!anchor || !isPlain(event) || !stays(anchor) || isHere(anchor)) return
    event.preventDefault()
    goTo(router, addressOf(anchor))
  }
  const ahead = (event: Event) => {
    const anchor = anchorOf(event)
    if (anchor && stays(anchor) && anchor.pathname.startsWith('/internal/'))
      void router.preloadRoute({ to: anchor.pathname } as never).catch(() => undefined)
  }
  document.addEventListener('click', follow)
  document.addEventListener('pointerover', ahead)
  document.addEventListener('focusin', ahead)
  return () => {
    document.removeEventListener('click', follow)
    document.removeEventListener('pointerover', ahead)
    document.removeEventListener('focusin', ahead)
  }
}

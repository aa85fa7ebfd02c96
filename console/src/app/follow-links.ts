import type { AnyRouter, RouterHistory } from '@tanstack/react-router'

const findLink = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null

const isConsoleLink = (anchor: HTMLAnchorElement) =>
  anchor.origin === window.location.origin && !anchor.target && !anchor.hasAttribute('download')

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.defaultPrevented && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

const getPath = ({ pathname, search, hash }: HTMLAnchorElement) => pathname + search + hash

/** A link to an anchor on the current screen, which the browser handles. */
const isSameScreenAnchor = ({ pathname, search, hash }: HTMLAnchorElement) =>
  hash !== '' && pathname === window.location.pathname && search === window.location.search

/** Navigates to a URL inside the console. */
export const navigateTo = (router: AnyRouter, path: string) => (router.history as RouterHistory).push(path)

/**
 * Navigates internal links without a page load, for links of any component. Hover or focus preloads the screen's code.
 */
export const followLinks = (router: AnyRouter) => {
  const handleClick = (event: MouseEvent) => {
    const anchor = findLink(event)
    if (!anchor || !isPlainClick(event) || !isConsoleLink(anchor) || isSameScreenAnchor(anchor)) return
    event.preventDefault()
    navigateTo(router, getPath(anchor))
  }
  const preloadLink = (event: Event) => {
    const anchor = findLink(event)
    if (anchor && isConsoleLink(anchor) && anchor.pathname.startsWith('/internal/'))
      void router.preloadRoute({ to: anchor.pathname } as never).catch(() => undefined)
  }
  document.addEventListener('click', handleClick)
  document.addEventListener('pointerover', preloadLink)
  document.addEventListener('focusin', preloadLink)
  return () => {
    document.removeEventListener('click', handleClick)
    document.removeEventListener('pointerover', preloadLink)
    document.removeEventListener('focusin', preloadLink)
  }
}

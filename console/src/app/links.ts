import type { AnyRouter, RouterHistory } from '@tanstack/react-router'

const anchorOf = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null

const stays = (anchor: HTMLAnchorElement) =>
  anchor.origin === window.location.origin && !anchor.target && !anchor.hasAttribute('download')

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.defaultPrevented && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

const addressOf = ({ pathname, search, hash }: HTMLAnchorElement) => pathname + search + hash

/** A place on the page that is already open: the browser knows how to go there. */
const isHere = ({ pathname, search, hash }: HTMLAnchorElement) =>
  hash !== '' && pathname === window.location.pathname && search === window.location.search

/** Goes to an address inside the console. */
export const goTo = (router: AnyRouter, address: string) => (router.history as RouterHistory).push(address)

/** Links inside the console change the page without loading it anew, whoever drew them; pointing at one loads its code. */
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

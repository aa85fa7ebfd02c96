import { Outlet, useRouter } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { Toasts } from '../ui/feedback/toast'
import { followLinks } from './follow-links'
import { trackListReturn } from './list-return'
import { registerNavigationEffects } from './navigation-effects'
import { redirectOnSessionEnd } from './session-end'

/** The root of every page: toasts, internal links, document titles, and the end of sessions. */
export const Root = () => {
  const router = useRouter()
  // a layout effect runs before the page's effects: a list saves its filters when it opens, and they must not be
  // cleared after that
  useLayoutEffect(() => {
    const cleanups = [
      followLinks(router),
      trackListReturn(router),
      registerNavigationEffects(router),
      redirectOnSessionEnd(router),
    ]
    return () => cleanups.forEach((cleanup) => cleanup())
  }, [router])
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}

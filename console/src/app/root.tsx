import { Outlet, useRouter } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { Toasts } from '../ui/feedback/toast'
import { followLinks } from './follow-links'
import { trackListReturn } from './list-return'
import { trackPageHistory } from './page-history'
import { redirectOnSessionEnd } from './session-end'

/** The root of every page: toasts, internal links, document titles, and the end of sessions. */
export const Root = () => {
  const router = useRouter()
  // a layout effect runs before the page's effects: a list saves its filters when it opens, and they must not be
  // cleared after that
  useLayoutEffect(() => {
    const undo = [followLinks(router), trackListReturn(router), trackPageHistory(router), redirectOnSessionEnd(router)]
    return () => undo.forEach((each) => each())
  }, [router])
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}

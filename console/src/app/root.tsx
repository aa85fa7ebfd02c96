import { Outlet, useRouter } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { Toasts } from '../ui/toast'
import { followLinks } from './links'
import { followLists } from './list-return'
import { followPages } from './pages'
import { followSession } from './session-end'

/** What every page has: toasts, links that stay inside, titles, and an end to every session. */
export const Root = () => {
  const router = useRouter()
  // before the page's own effects: a list that opens keeps its filters, and they must not be cleared after that
  useLayoutEffect(() => {
    const undo = [followLinks(router), followLists(router), followPages(router), followSession(router)]
    return () => undo.forEach((each) => each())
  }, [router])
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}

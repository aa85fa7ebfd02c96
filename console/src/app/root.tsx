import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Toasts } from '../ui/toast'
import { followLinks } from './links'
import { followPages } from './pages'
import { followSession } from './session-end'

/** What every page has: toasts, links that stay inside, titles, and an end to every session. */
export const Root = () => {
  const router = useRouter()
  useEffect(() => {
    const undo = [followLinks(router), followPages(router), followSession(router)]
    return () => undo.forEach((each) => each())
  }, [router])
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}

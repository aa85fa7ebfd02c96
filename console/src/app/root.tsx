import { Outlet, useRouter } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { getFeatureFlags } from '../lib/feature-flags'
import { NoticeBar } from '../ui/shell/notice-bar'
import { Toasts } from '../ui/feedback/toast'
import { followLinks } from './follow-links'
import { trackListReturn } from './list-return'
import { registerNavigationEffects } from './navigation-effects'
import { preloadSignedInCode } from './preload-code'
import { redirectOnSessionEnd } from './session-end'

/** The root of every screen: toasts, internal links, document titles, code to load early, and the end of sessions. */
export const Root = () => {
  const router = useRouter()
  const { notice } = getFeatureFlags()
  // a layout effect runs before the screen's effects: a list saves its filters when it opens, and they must not be
  // cleared after that
  useLayoutEffect(() => {
    const cleanups = [
      followLinks(router),
      trackListReturn(router),
      registerNavigationEffects(router),
      redirectOnSessionEnd(router),
      preloadSignedInCode(),
    ]
    return () => cleanups.forEach((cleanup) => cleanup())
  }, [router])
  return (
    <>
      {notice ? <NoticeBar text={notice} /> : null}
      <Outlet />
      <Toasts />
    </>
  )
}

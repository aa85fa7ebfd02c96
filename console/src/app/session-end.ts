import type { AnyRouter } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import { isServerReachable, setSessionEndHandler } from '../lib/client'
import { setInterruptionHandler } from '../lib/fetch-with-retry'
import { paths } from '../lib/paths'
import { getCurrentSession, endSession } from '../session/session'
import { setReachabilityCheck } from '../ui/feedback/lazy-component'
import { toast } from '../ui/feedback/toast'
import { dismissToast } from '../ui/feedback/toast-store'

/**
 * Ends the session after an expired token or when the server stays unreachable. Clears all data; the sign-in screen shows
 * the reason. While requests are retried, a toast says so.
 */
export const redirectOnSessionEnd = (router: AnyRouter) => {
  setReachabilityCheck(isServerReachable)
  let toastId: number | undefined
  setInterruptionHandler((isInterrupted) => {
    if (isInterrupted) {
      toastId ??= toast.bad(messages.retrying)
      return
    }
    if (toastId !== undefined) dismissToast(toastId)
    toastId = undefined
  })
  setSessionEndHandler((reason) => {
    const text = messages[reason]
    if (router.state.location.pathname === paths.signIn) {
      endSession()
      toast.bad(text)
      return
    }
    // concurrent requests fail together: only the first one reports it
    if (reason === 'expired' && !getCurrentSession()) return
    endSession(text)
    void router.navigate({ to: paths.signIn, replace: true })
  })
  return () => setSessionEndHandler(() => undefined)
}

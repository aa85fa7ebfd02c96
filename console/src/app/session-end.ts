import type { AnyRouter } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import { isServerReachable, handleSessionEnd } from '../lib/client'
import { paths } from '../lib/paths'
import { currentSession, endSession } from '../session/session'
import { setReachabilityCheck } from '../ui/late'
import { toast } from '../ui/toast'

/** An expired token or a silent server ends the session: everything is forgotten, and the sign-in page says why. */
export const followSession = (router: AnyRouter) => {
  setReachabilityCheck(isServerReachable)
  handleSessionEnd((why) => {
    const text = messages[why]
    if (router.state.location.pathname === paths.signIn) {
      endSession()
      toast.bad(text)
      return
    }
    // several calls fail together; the first one said it
    if (why === 'expired' && !currentSession()) return
    endSession(text)
    void router.navigate({ to: paths.signIn, replace: true })
  })
  return () => handleSessionEnd(() => undefined)
}

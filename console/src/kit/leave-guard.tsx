import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import { currentSession } from '../session/session'
import { ConfirmDialog } from '../ui/confirm-dialog'

/** Asks before unsaved changes are left behind, by a link or by closing the window. Answers a way to leave unasked. */
export const useLeaveGuard = (dirty: boolean) => {
  const free = useRef(false)
  // a session that ended leaves nothing to save
  const mustAsk = () => dirty && !free.current && currentSession() !== undefined
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && mustAsk(),
    enableBeforeUnload: mustAsk,
    withResolver: true,
  })
  const dialog = (
    <ConfirmDialog
      opened={blocker.status === 'blocked'}
      title="Leave without saving?"
      question="Your changes have not been saved."
      confirm="Leave"
      cancel="Stay"
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    />
  )
  return {
    dialog,
    letGo: () => {
      free.current = true
    },
  }
}

import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { currentSession } from '../session/session'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { askBeforeLeaving } from './may-leave'

/** Asks before unsaved changes are left behind, by a link or by closing the window. Answers a way to leave unasked. */
export const useLeaveGuard = (dirty: boolean) => {
  const free = useRef(false)
  const [answer, setAnswer] = useState<(leave: boolean) => void>()
  // a session that ended leaves nothing to save
  const mustAsk = () => dirty && !free.current && currentSession() !== undefined
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && mustAsk(),
    enableBeforeUnload: mustAsk,
    withResolver: true,
  })
  useEffect(() => {
    const mine = () => (mustAsk() ? new Promise<boolean>((resolve) => setAnswer(() => resolve)) : Promise.resolve(true))
    return askBeforeLeaving(mine)
  })
  const say = (leave: boolean) => {
    setAnswer(undefined)
    answer?.(leave)
  }
  const dialog = (
    <ConfirmDialog
      opened={blocker.status === 'blocked' || answer !== undefined}
      title="Leave without saving?"
      question="Your changes have not been saved."
      confirm="Leave"
      cancel="Stay"
      onConfirm={() => (answer ? say(true) : blocker.proceed?.())}
      onClose={() => (answer ? say(false) : blocker.reset?.())}
    />
  )
  return {
    dialog,
    letGo: () => {
      free.current = true
    },
  }
}

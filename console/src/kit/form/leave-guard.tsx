import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { currentSession } from '../../session/session'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { registerLeaveConfirmation } from './confirm-leave'

/**
 * Asks for confirmation before the user loses unsaved changes, by following a link or closing the window. `letGo`
 * disables the question.
 */
export const useLeaveGuard = (dirty: boolean) => {
  const free = useRef(false)
  const [answer, setAnswer] = useState<(leave: boolean) => void>()
  // without a session, nothing can be saved
  const mustAsk = () => dirty && !free.current && currentSession() !== undefined
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && mustAsk(),
    enableBeforeUnload: mustAsk,
    withResolver: true,
  })
  useEffect(() => {
    const confirmLeave = () =>
      mustAsk() ? new Promise<boolean>((resolve) => setAnswer(() => resolve)) : Promise.resolve(true)
    return registerLeaveConfirmation(confirmLeave)
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

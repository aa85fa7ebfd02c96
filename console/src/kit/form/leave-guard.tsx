import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { getCurrentSession } from '../../session/session'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { setLeaveConfirmationHandler } from './confirm-leave'

interface LeaveGuardTexts {
  title: string
  question: string
}

const defaultTexts: LeaveGuardTexts = {
  title: 'Leave without saving?',
  question: 'Your changes have not been saved.',
}

/**
 * Asks for confirmation before the user loses unsaved changes, for example by following a link or closing the window.
 * `allowLeaving` disables the question.
 */
export const useLeaveGuard = (hasUnsavedChanges: boolean, texts: LeaveGuardTexts = defaultTexts) => {
  const mayLeave = useRef(false)
  /** Set while the dialog asks on behalf of `confirmLeave`, not of the router. */
  const [pendingLeaveRequest, setPendingLeaveRequest] = useState<{ resolve: (isConfirmed: boolean) => void }>()
  // without a session, nothing can be saved
  const mustConfirm = () => hasUnsavedChanges && !mayLeave.current && getCurrentSession() !== undefined
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && mustConfirm(),
    enableBeforeUnload: mustConfirm,
    withResolver: true,
  })
  useEffect(() => {
    const confirmLeave = () =>
      mustConfirm() ? new Promise<boolean>((resolve) => setPendingLeaveRequest({ resolve })) : Promise.resolve(true)
    // for navigation that the router does not block: signing out and switching the provider
    return setLeaveConfirmationHandler(confirmLeave)
  })
  const resolvePending = (isConfirmed: boolean) => {
    setPendingLeaveRequest(undefined)
    pendingLeaveRequest?.resolve(isConfirmed)
  }
  const dialog = (
    <ConfirmDialog
      opened={blocker.status === 'blocked' || pendingLeaveRequest !== undefined}
      title={texts.title}
      question={texts.question}
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => (pendingLeaveRequest ? resolvePending(true) : blocker.proceed?.())}
      onClose={() => (pendingLeaveRequest ? resolvePending(false) : blocker.reset?.())}
    />
  )
  return {
    dialog,
    allowLeaving: () => {
      mayLeave.current = true
    },
  }
}

import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { saveDraft, takeDraft, type Draft, type DraftDialog } from '../../session/unsaved-drafts'
import { useProviderSid } from '../../session/current-provider'
import { currentSession, hasEndedWithoutSignOut } from '../../session/session'

interface UnsavedInputOptions {
  /** The dialog that holds the input. Absent: the page's form. */
  dialog?: DraftDialog
  /** Returns the unsaved input, if any. */
  typed: () => Pick<Draft, 'values' | 'begun'> | undefined
  /** Restores the input from before the session ended. */
  restore: (draft: Draft) => void
}

/** Keeps unsaved input when a session ends unexpectedly, and restores it for the same user on the same page. */
export const useUnsavedInput = ({ dialog, typed, restore }: UnsavedInputOptions) => {
  const { pathname, searchStr } = useLocation()
  const provider = useProviderSid()
  const now = { user_sid: currentSession()?.actor.user_sid, address: pathname + searchStr, provider }
  const at = useRef(now)
  const give = useRef(typed)
  useEffect(() => {
    // a render after the end of the session has neither the right URL nor a user
    if (!now.user_sid) return
    at.current = now
    give.current = typed
  })

  useEffect(() => {
    const draft = takeDraft(at.current.user_sid, at.current.address, dialog)
    if (draft) restore(draft)
    return () => {
      const { user_sid, ...place } = at.current
      const left = hasEndedWithoutSignOut() ? give.current() : undefined
      if (user_sid && left) saveDraft({ ...place, user_sid, ...left, ...(dialog === undefined ? {} : { dialog }) })
    }
    // only on mount and unmount
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
}

import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { keepDraft, takeDraft, type Draft, type KeptDialog } from '../session/draft'
import { useProviderSid } from '../session/provider'
import { currentSession, endedUnasked } from '../session/session'

interface Keeping {
  /** The dialog in which it is typed; absent: the page's form. */
  dialog?: KeptDialog
  /** What was typed, when something was. */
  typed: () => Pick<Draft, 'values' | 'begun'> | undefined
  /** Puts back what was typed before the session ended. */
  restore: (draft: Draft) => void
}

/** Keeps what was typed when the session ends under the hands, and gives it back to the same user on the same page. */
export const useKeeping = ({ dialog, typed, restore }: Keeping) => {
  const { pathname, searchStr } = useLocation()
  const provider = useProviderSid()
  const now = { user_sid: currentSession()?.actor.user_sid, address: pathname + searchStr, provider }
  const at = useRef(now)
  const give = useRef(typed)
  useEffect(() => {
    // what is drawn once more without a session has neither an address nor a right to type
    if (!now.user_sid) return
    at.current = now
    give.current = typed
  })

  useEffect(() => {
    const draft = takeDraft(at.current.user_sid, at.current.address, dialog)
    if (draft) restore(draft)
    return () => {
      const { user_sid, ...place } = at.current
      const left = endedUnasked() ? give.current() : undefined
      if (user_sid && left) keepDraft({ ...place, user_sid, ...left, ...(dialog === undefined ? {} : { dialog }) })
    }
    // once: when it comes and when it goes
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
}

import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import {
  saveUnsavedInput,
  takeUnsavedInput,
  type UnsavedInput,
  type RestorableDialog,
} from '../../session/unsaved-inputs'
import { useProviderSid } from '../../session/current-provider'
import { getCurrentSession, hasEndedWithoutSignOut } from '../../session/session'

interface UnsavedInputOptions {
  /** The dialog that holds the input. Absent: the screen's form. */
  dialog?: RestorableDialog
  /** Returns the unsaved input, if any. */
  getUnsavedInput: () => Pick<UnsavedInput, 'values' | 'initialValues'> | undefined
  /** Restores the input from before the session ended. */
  restore: (draft: UnsavedInput) => void
}

/** Keeps unsaved input when a session ends unexpectedly, and restores it for the same user on the same screen. */
export const useUnsavedInput = ({ dialog, getUnsavedInput, restore }: UnsavedInputOptions) => {
  const { pathname, searchStr } = useLocation()
  const providerSid = useProviderSid()
  const location = { user_sid: getCurrentSession()?.actor.user_sid, url: pathname + searchStr, providerSid }
  const lastLocation = useRef(location)
  const latestGetUnsavedInput = useRef(getUnsavedInput)
  useEffect(() => {
    // a render after the end of the session has neither the right URL nor a user
    if (!location.user_sid) return
    lastLocation.current = location
    latestGetUnsavedInput.current = getUnsavedInput
  })

  useEffect(() => {
    const unsavedInput = takeUnsavedInput(lastLocation.current.user_sid, lastLocation.current.url, dialog)
    if (unsavedInput) restore(unsavedInput)
    return () => {
      const { user_sid, ...page } = lastLocation.current
      const currentInput = hasEndedWithoutSignOut() ? latestGetUnsavedInput.current() : undefined
      if (user_sid && currentInput)
        saveUnsavedInput({ ...page, user_sid, ...currentInput, ...(dialog === undefined ? {} : { dialog }) })
    }
    // only on mount and unmount
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
}

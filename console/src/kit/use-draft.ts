import { useLocation } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/general'
import { useEffect, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { keepDraft, takeDraft } from '../session/draft'
import { useProviderSid } from '../session/provider'
import { currentSession, endedUnasked } from '../session/session'
import { toast } from '../ui/toast'

/** Keeps what was typed when the session ends under the hands, and gives it back to the same user on the same page. */
export const useDraft = <Values extends FieldValues>(form: UseFormReturn<Values>, readOnly: boolean) => {
  const { pathname } = useLocation()
  const provider = useProviderSid()
  const [at] = useState(() => ({ user_sid: currentSession()?.actor.user_sid, address: pathname, provider }))
  const { isDirty, dirtyFields } = form.formState
  const touched = useRef<string[]>([])
  useEffect(() => {
    touched.current = isDirty && !readOnly ? Object.keys(dirtyFields) : []
  })

  useEffect(() => {
    const values = readOnly ? undefined : takeDraft(at.user_sid, at.address)
    if (values) {
      const restored = { ...form.getValues(), ...values }
      form.reset(restored, { keepDefaultValues: true })
      toast.ok(messages.restored)
    }
    return () => {
      const { user_sid, address } = at
      if (!user_sid || touched.current.length === 0 || !endedUnasked()) return
      const typed = form.getValues()
      keepDraft({
        user_sid,
        address,
        provider: at.provider,
        values: Object.fromEntries(touched.current.map((name) => [name, typed[name] as unknown])),
      })
    }
    // once: when the form comes and when it goes
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
}

import { useNavigate } from '@tanstack/react-router'
import { messages as sessionMessages } from '@trunkline/contract/messages/session'
import { messages } from '@trunkline/contract/messages/sign-up'
import { activate, sendActivationCode } from '@trunkline/contract/resources/registration'
import { useRef, useState } from 'react'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { Problem, getErrorMessage } from '../../lib/problem'
import { setFlash } from '../../lib/storage'
import {
  clearRegistration,
  generateActivationCode,
  getResendTime,
  storeRegistration,
  type Registration,
} from '../../session/registration'
import { startSession } from '../../session/session'
import { clearToasts, toast } from '../../ui/feedback/toast'
import { codeLength } from './code-field'

/** Confirms the address of a registration with a code, and requests another code. */
export const useVerification = (registration: Registration) => {
  const { jwt, user_sid, email } = registration
  const navigate = useNavigate()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [pendingAction, setPendingAction] = useState<'verify' | 'resend'>()
  const [resendTime, setResendTime] = useState(getResendTime(registration))
  const codeField = useRef<HTMLInputElement>(null)

  /** Shows an error: at the field, or as a toast. A registration that has expired ends here. */
  const showError = async (caught: unknown) => {
    if (caught instanceof Problem && caught.status === 401) {
      clearRegistration()
      setFlash(sessionMessages.expired)
      return navigate({ to: paths.signIn, replace: true })
    }
    if (caught instanceof Problem && caught.status === 400 && caught.field !== 'value') setError(caught.msg)
    else toast.bad(getErrorMessage(caught))
    codeField.current?.focus()
    codeField.current?.select()
  }

  const verify = async (enteredCode: string) => {
    if (pendingAction) return
    if (enteredCode.length < codeLength) {
      setError(messages.code.incomplete)
      codeField.current?.focus()
      return
    }
    setPendingAction('verify')
    try {
      const body = { user_sid, type: 'email' }
      await request(activate, { params: { code: enteredCode }, body, token: jwt, keepsSession: true })
      // Its token is now that of the new user.
      if (!startSession(jwt)) throw new Error('The token is not usable')
      clearRegistration()
      clearToasts()
      await navigate({ to: paths.chooseSubdomain, replace: true })
    } catch (caught) {
      await showError(caught)
      setPendingAction(undefined)
    }
  }

  const change = (digits: string) => {
    setCode(digits)
    setError(undefined)
    if (digits.length === codeLength && digits !== code) void verify(digits)
  }

  const resend = async () => {
    if (pendingAction) return
    setPendingAction('resend')
    try {
      const body = { user_sid, type: 'email', code: generateActivationCode(), value: email }
      await request(sendActivationCode, { body, token: jwt, keepsSession: true })
      const sentRegistration = { ...registration, codeSentAt: Date.now() }
      storeRegistration(sentRegistration)
      setResendTime(getResendTime(sentRegistration))
      setCode('')
      setError(undefined)
      toast.ok(messages.code.sent(email))
      codeField.current?.focus()
    } catch (caught) {
      await showError(caught)
    } finally {
      setPendingAction(undefined)
    }
  }
  return { code, error, pendingAction, resendTime, codeField, change, verify, resend }
}

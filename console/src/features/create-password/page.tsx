import { useNavigate } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import { user } from '@trunkline/contract/resources/user'
import { passwordFaults } from '@trunkline/contract/session/password'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { PasswordRules, usePasswordRule } from '../../kit/password-rules'
import { call } from '../../lib/client'
import { paths } from '../../lib/paths'
import { Problem, sayProblem } from '../../lib/problem'
import { leaveFlash, passing } from '../../lib/storage'
import { currentSession } from '../../session/session'
import { Button } from '../../ui/button'
import { PlainPassword } from '../../ui/plain-field'
import { SignInCard } from '../../ui/sign-in-card'
import { toast } from '../../ui/toast'

/** What the forced change needs, left behind by the sign-in page. */
const leftBehind = () => ({ user_sid: passing.userSid.get(), old_password: passing.oldPassword.get() })

/** Without a sign-in before it this page has nothing to change. */
const useMustComeFromSignIn = () => {
  const navigate = useNavigate()
  useEffect(() => {
    if (leftBehind().user_sid && currentSession()) return
    leaveFlash({ kind: 'bad', text: messages.mustLogIn })
    void navigate({ to: paths.signIn, replace: true })
  }, [navigate])
}

const useCapsLock = () => {
  const [on, setOn] = useState(false)
  useEffect(() => {
    const hear = (event: KeyboardEvent) => setOn(event.getModifierState('CapsLock'))
    document.addEventListener('keydown', hear)
    document.addEventListener('keyup', hear)
    return () => {
      document.removeEventListener('keydown', hear)
      document.removeEventListener('keyup', hear)
    }
  }, [])
  return on
}

/** The forced change of a password after a first sign-in. */
export const CreatePassword = () => {
  const navigate = useNavigate()
  const rule = usePasswordRule()
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const caps = useCapsLock()
  const [fault, setFault] = useState<{ field: 'password' | 'again'; text: string }>()
  const [pending, setPending] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  useMustComeFromSignIn()

  const broken = passwordFaults(password, rule)
  const refuse = (field: 'password' | 'again', text: string) => {
    setFault({ field, text })
    const place = field === 'password' ? first : second
    place.current?.focus()
  }
  const refused = (error: unknown) => {
    if (error instanceof Problem && error.ended) return
    if (error instanceof Problem && error.field === 'new_password') refuse('password', error.msg)
    else toast.bad(sayProblem(error))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { user_sid, old_password } = leftBehind()
    if (pending || !user_sid || !old_password) return
    if (broken.length > 0) return refuse('password', [messages.passwordRule.title, broken.join(', ')].join(' '))
    if (password !== again) return refuse('again', messages.passwordsDiffer)
    setPending(true)
    try {
      await call(user.update, { params: { user_sid }, body: { old_password, new_password: password } })
      passing.userSid.clear()
      passing.oldPassword.clear()
      const account = currentSession()?.actor.scope === 'account'
      await navigate({ to: account ? paths.applications.list : paths.accounts.list, replace: true })
    } catch (error) {
      setPending(false)
      refused(error)
    }
  }
  const errorOf = (field: 'password' | 'again') => (fault?.field === field ? fault.text : undefined)
  return (
    <SignInCard title="Create password" lede="You must create a new password before you go on.">
      <form noValidate onSubmit={(event) => void submit(event)}>
        <PlainPassword
          label="New password"
          autoComplete="new-password"
          autoFocus
          required
          ref={first}
          value={password}
          error={errorOf('password')}
          onChange={(event) => {
            setPassword(event.currentTarget.value)
            setFault(undefined)
          }}
        />
        <PasswordRules rule={rule} password={password} />
        <PlainPassword
          label="Confirm password"
          autoComplete="new-password"
          required
          ref={second}
          value={again}
          error={errorOf('again')}
          onChange={(event) => {
            setAgain(event.currentTarget.value)
            setFault(undefined)
          }}
        />
        <div role="status">{caps ? messages.capsLock : null}</div>
        <Button type="submit" look="primary" size="lg" block pending={pending}>
          Save
        </Button>
      </form>
    </SignInCard>
  )
}

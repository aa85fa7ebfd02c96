import { useNavigate, useParams } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import { confirmEmail } from '@trunkline/contract/resources/session'
import { useRef, useState, type FormEvent } from 'react'
import { call } from '../../lib/client'
import { paths } from '../../lib/paths'
import { Problem, sayProblem } from '../../lib/problem'
import { currentSession } from '../../session/session'
import { Button, ButtonLink } from '../../ui/button'
import { PlainPassword } from '../../ui/plain-field'
import { SignInCard } from '../../ui/sign-in-card'
import { clearToasts, toast } from '../../ui/toast'

const isDead = (error: unknown) => error instanceof Problem && [403, 404].includes(error.status)

const DeadLink = () => (
  <SignInCard title="Confirm email" lede={<span role="alert">{messages.email.dead}</span>}>
    <ButtonLink size="lg" block href={paths.signIn}>
      {currentSession() ? 'Continue' : 'Back to log in'}
    </ButtonLink>
  </SignInCard>
)

/** The page that the link in a confirmation mail leads to. */
export const ConfirmEmail = () => {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  const [pending, setPending] = useState(false)
  const [dead, setDead] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const refuse = (text: string) => {
    setFault(text)
    field.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (pending) return
    if (password === '') return refuse('Password is required.')
    setPending(true)
    try {
      await call(confirmEmail, { body: { link: id, password }, aside: true })
      clearToasts()
      toast.ok(messages.email.confirmed)
      await navigate({ to: paths.signIn, replace: true })
    } catch (error) {
      setPending(false)
      if (isDead(error)) setDead(true)
      else if (error instanceof Problem && error.field === 'password') refuse(error.msg)
      else toast.bad(sayProblem(error))
    }
  }

  if (dead) return <DeadLink />
  return (
    <SignInCard
      title="Confirm email"
      lede="Enter the password of your user to confirm this email address. Links for a new password are then sent to it."
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <PlainPassword
          label="Password"
          name="password"
          autoComplete="current-password"
          autoFocus
          required
          ref={field}
          value={password}
          error={fault}
          onChange={(event) => {
            setPassword(event.currentTarget.value)
            setFault(undefined)
          }}
        />
        <Button type="submit" look="primary" size="lg" block pending={pending}>
          Confirm
        </Button>
      </form>
    </SignInCard>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import { messages as userMessages } from '@trunkline/contract/messages/user'
import { user } from '@trunkline/contract/resources/user'
import { isEmail } from '@trunkline/contract/session/email'
import { useRef, useState, type FormEvent } from 'react'
import { call } from '../../lib/client'
import { paths } from '../../lib/paths'
import { Problem, sayProblem } from '../../lib/problem'
import { passing } from '../../lib/storage'
import { useActor } from '../../session/session'
import { Button } from '../../ui/button'
import { PlainField } from '../../ui/plain-field'
import { SignInCard } from '../../ui/sign-in-card'
import { toast } from '../../ui/toast'

/** Asks a user without an email address for one, after the sign-in. */
export const AddEmail = () => {
  const navigate = useNavigate()
  const { user_sid = '' } = useActor()
  const [email, setEmail] = useState('')
  const [fault, setFault] = useState<string>()
  const [pending, setPending] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const goOn = async () => {
    const next = passing.afterEmail.get() ?? paths.internal
    passing.afterEmail.clear()
    await navigate({ href: next, replace: true })
  }
  const refuse = (text: string) => {
    setFault(text)
    field.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (pending) return
    const address = email.trim()
    if (!isEmail(address)) return refuse(userMessages.badEmail)
    setPending(true)
    try {
      await call(user.update, { params: { user_sid }, body: { email: address } })
      toast.ok(messages.email.sent(address))
      await goOn()
    } catch (error) {
      setPending(false)
      if (error instanceof Problem && error.ended) return
      if (error instanceof Problem && error.msg === userMessages.takenOnWire) refuse(userMessages.taken.email)
      else toast.bad(sayProblem(error))
    }
  }

  return (
    <SignInCard
      title="Add your email"
      lede="Your user has no email address. If you forget your password, a link for a new one is sent to it."
      foot={
        <Button look="quiet" size="sm" onClick={() => void goOn()}>
          Skip for now
        </Button>
      }
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <PlainField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          maxLength={255}
          ref={field}
          value={email}
          error={fault}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setFault(undefined)
          }}
        />
        <Button type="submit" look="primary" size="lg" block pending={pending}>
          Save
        </Button>
      </form>
    </SignInCard>
  )
}

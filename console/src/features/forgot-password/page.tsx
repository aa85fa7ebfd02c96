import { messages } from '@trunkline/contract/messages/session'
import { forgotPassword } from '@trunkline/contract/resources/session'
import { useRef, useState, type FormEvent } from 'react'
import { call } from '../../lib/client'
import { paths } from '../../lib/paths'
import { sayProblem } from '../../lib/problem'
import { Button, ButtonLink } from '../../ui/button'
import { Link } from '../../ui/link'
import { PlainField } from '../../ui/plain-field'
import { SignInCard } from '../../ui/sign-in-card'
import { clearToasts, toast } from '../../ui/toast'

/** Asks for a mail with a link for a new password. */
export const ForgotPassword = () => {
  const [email, setEmail] = useState('')
  const [pending, setPending] = useState(false)
  const [sent, setSent] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (pending) return
    setPending(true)
    try {
      await call(forgotPassword, { body: { email: email.trim() }, aside: true })
      clearToasts()
      setSent(true)
    } catch (error) {
      toast.bad(sayProblem(error))
      field.current?.focus()
    } finally {
      setPending(false)
    }
  }
  if (sent)
    return (
      <SignInCard title="Forgot password" lede={<span role="status">{messages.reset.sent}</span>}>
        <ButtonLink size="lg" block href={paths.signIn}>
          Back to log in
        </ButtonLink>
      </SignInCard>
    )
  return (
    <SignInCard
      title="Forgot password"
      lede="Enter the email address of your user. A link to choose a new password is sent there."
      foot={<Link href={paths.signIn}>Back to log in</Link>}
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
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" look="primary" size="lg" block pending={pending}>
          Send email
        </Button>
      </form>
    </SignInCard>
  )
}

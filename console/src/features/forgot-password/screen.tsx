import { messages } from '@trunkline/contract/messages/password-reset'
import { forgotPassword } from '@trunkline/contract/resources/session'
import { useState } from 'react'
import { OneFieldForm } from '../../kit/form/one-field-form'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { ButtonLink } from '../../ui/button'
import { Link } from '../../ui/link'
import { SignInCard } from '../../ui/shell/sign-in-card'
import { clearToasts } from '../../ui/feedback/toast'

/** Requests an email with a link to set a new password. */
export const ForgotPassword = () => {
  const [isSent, setIsSent] = useState(false)
  const requestLink = async (email: string) => {
    await request(forgotPassword, { body: { email: email.trim() }, keepsSession: true })
    clearToasts()
    setIsSent(true)
  }
  if (isSent)
    return (
      <SignInCard title="Forgot password" description={<span role="status">{messages.sent}</span>}>
        <ButtonLink size="lg" block href={paths.signIn}>
          Back to log in
        </ButtonLink>
      </SignInCard>
    )
  return (
    <SignInCard
      title="Forgot password"
      description="Enter your email address. You will receive a link to set a new password."
      footer={<Link href={paths.signIn}>Back to log in</Link>}
    >
      <OneFieldForm field="email" submitLabel="Send email" send={requestLink} />
    </SignInCard>
  )
}

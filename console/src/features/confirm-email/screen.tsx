import { useNavigate, useParams } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/email-change'
import { confirmEmail } from '@trunkline/contract/resources/session'
import { useState } from 'react'
import { OneFieldForm } from '../../kit/form/one-field-form'
import { request } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { Problem } from '../../lib/problem'
import { getCurrentSession } from '../../session/session'
import { ButtonLink } from '../../ui/button'
import { SignInCard } from '../../ui/shell/sign-in-card'
import { clearToasts, toast } from '../../ui/feedback/toast'

const isInvalidLink = (error: unknown) => error instanceof Problem && [403, 404].includes(error.status)

const InvalidLink = () => (
  <SignInCard title="Confirm email" description={<span role="alert">{messages.linkExpired}</span>}>
    <ButtonLink size="lg" block href={paths.signIn}>
      {getCurrentSession() ? 'Continue' : 'Back to log in'}
    </ButtonLink>
  </SignInCard>
)

/** The screen that a confirmation link in an email opens. */
export const ConfirmEmail = () => {
  const { id: confirmationCode = '' }: { id?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const [isLinkInvalid, setIsLinkInvalid] = useState(false)

  const confirm = async (password: string) => {
    try {
      await request(confirmEmail, { body: { link: confirmationCode, password }, keepsSession: true })
    } catch (error) {
      if (isInvalidLink(error)) return setIsLinkInvalid(true)
      throw error
    }
    clearToasts()
    toast.ok(messages.confirmed)
    await navigate({ to: paths.signIn, replace: true })
  }

  if (isLinkInvalid) return <InvalidLink />
  return (
    <SignInCard
      title="Confirm email"
      description={`Enter your password to confirm this email address.${getFeatureFlags().forgotPassword ? ' Password reset links are then sent to it.' : ''}`}
    >
      <OneFieldForm
        field="password"
        submitLabel="Confirm"
        findError={(password) => (password === '' ? 'Password is required.' : undefined)}
        send={confirm}
        toFieldError={({ field, msg }) => (field === 'password' ? msg : undefined)}
      />
    </SignInCard>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/email-change'
import { messages as userMessages } from '@trunkline/contract/messages/user'
import { user } from '@trunkline/contract/resources/user'
import { isEmail } from '@trunkline/contract/session/email'
import { OneFieldForm } from '../../kit/form/one-field-form'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { Problem } from '../../lib/problem'
import { sessionValues } from '../../lib/storage'
import { useActor } from '../../session/session'
import { Button } from '../../ui/button'
import { SignInCard } from '../../ui/shell/sign-in-card'
import { toast } from '../../ui/feedback/toast'

/** Asks a user without an email address for one after sign-in. */
export const AddEmail = () => {
  const navigate = useNavigate()
  const { user_sid = '' } = useActor()

  const continueToNextScreen = async () => {
    const nextUrl = sessionValues.pathAfterEmail.get() ?? paths.internal
    sessionValues.pathAfterEmail.clear()
    await navigate({ href: nextUrl, replace: true })
  }
  const saveEmail = async (enteredEmail: string) => {
    const email = enteredEmail.trim()
    try {
      await request(user.update, { params: { user_sid }, body: { email } })
    } catch (error) {
      // the sign-in screen shows the reason
      if (error instanceof Problem && error.hasEndedSession) return
      throw error
    }
    toast.ok(messages.sent(email))
    await continueToNextScreen()
  }

  return (
    <SignInCard
      title="Add your email"
      description="You have no email address on file. You need one to reset a forgotten password."
      footer={
        <Button variant="borderless" size="sm" onClick={() => void continueToNextScreen()}>
          Skip for now
        </Button>
      }
    >
      <OneFieldForm
        field="email"
        submitLabel="Save"
        findError={(text) => (isEmail(text.trim()) ? undefined : userMessages.invalidEmail)}
        send={saveEmail}
        toFieldError={({ msg }) => (msg === userMessages.duplicateRefusal ? userMessages.duplicate.email : undefined)}
      />
    </SignInCard>
  )
}

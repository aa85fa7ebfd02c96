import { useNavigate } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import { user } from '@trunkline/contract/resources/user'
import { useEffect, useState } from 'react'
import { NewPassword } from '../../panels/new-password'
import { usePasswordRule } from '../../panels/password-rules'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { setFlash, sessionValues } from '../../lib/storage'
import { getCurrentSession, signOut } from '../../session/session'
import { Button } from '../../ui/button'
import { SignInCard } from '../../ui/shell/sign-in-card'

/** The values for the forced password change, which the sign-in screen stores. */
const readSignInValues = () => ({
  user_sid: sessionValues.userSid.get(),
  old_password: sessionValues.oldPassword.get(),
})

const hasSignInValues = () => {
  const { user_sid, old_password } = readSignInValues()
  return Boolean(user_sid && old_password && getCurrentSession())
}

/**
 * The forced password change after a first sign-in. Redirects to the sign-in screen if the user does not come from there.
 */
export const CreatePassword = () => {
  const navigate = useNavigate()
  const [isFromSignInScreen] = useState(hasSignInValues)
  useEffect(() => {
    if (isFromSignInScreen) return
    setFlash(messages.mustLogIn)
    void navigate({ to: paths.signIn, replace: true })
  }, [isFromSignInScreen, navigate])
  return isFromSignInScreen ? <ChangePassword /> : null
}

const ChangePassword = () => {
  const navigate = useNavigate()
  const passwordRule = usePasswordRule()

  const save = async (new_password: string) => {
    const { user_sid, old_password } = readSignInValues()
    if (!user_sid || !old_password) return
    await request(user.update, { params: { user_sid }, body: { old_password, new_password } })
    sessionValues.userSid.clear()
    sessionValues.oldPassword.clear()
    const isAccountUser = getCurrentSession()?.actor.scope === 'account'
    const nextPath = isAccountUser ? paths.applications.list : paths.accounts.list
    const asksForEmail = sessionValues.pathAfterEmail.get() !== null
    if (asksForEmail) sessionValues.pathAfterEmail.set(nextPath)
    await navigate({ to: asksForEmail ? paths.addEmail : nextPath, replace: true })
  }
  // for users who cannot continue or signed in as someone else
  const cancel = async () => {
    await signOut()
    await navigate({ to: paths.signIn, replace: true })
  }
  return (
    <SignInCard
      title="Create password"
      description="Set a new password to continue."
      footer={
        <Button variant="borderless" size="sm" onClick={() => void cancel()}>
          Sign out
        </Button>
      }
    >
      <NewPassword rule={passwordRule} onSave={save} />
    </SignInCard>
  )
}

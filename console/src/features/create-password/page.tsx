import { useNavigate } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import { user } from '@trunkline/contract/resources/user'
import { useEffect, useState } from 'react'
import { NewPassword } from '../../panels/new-password'
import { usePasswordRule } from '../../panels/password-rules'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { setFlash, sessionValues } from '../../lib/storage'
import { currentSession, signOut } from '../../session/session'
import { Button } from '../../ui/button'
import { SignInCard } from '../../ui/shell/sign-in-card'

/** The values for the forced password change, which the sign-in page stores. */
const leftBehind = () => ({ user_sid: sessionValues.userSid.get(), old_password: sessionValues.oldPassword.get() })

const comesFromSignIn = () => {
  const { user_sid, old_password } = leftBehind()
  return Boolean(user_sid && old_password && currentSession())
}

/**
 * The forced password change after a first sign-in. Redirects to the sign-in page if the user does not come from there.
 */
export const CreatePassword = () => {
  const navigate = useNavigate()
  const [comes] = useState(comesFromSignIn)
  useEffect(() => {
    if (comes) return
    setFlash(messages.mustLogIn)
    void navigate({ to: paths.signIn, replace: true })
  }, [comes, navigate])
  return comes ? <Change /> : null
}

const Change = () => {
  const navigate = useNavigate()
  const rule = usePasswordRule()

  const save = async (new_password: string) => {
    const { user_sid, old_password } = leftBehind()
    if (!user_sid || !old_password) return
    await request(user.update, { params: { user_sid }, body: { old_password, new_password } })
    sessionValues.userSid.clear()
    sessionValues.oldPassword.clear()
    const account = currentSession()?.actor.scope === 'account'
    const next = account ? paths.applications.list : paths.accounts.list
    const asksForEmail = sessionValues.afterEmail.get() !== null
    if (asksForEmail) sessionValues.afterEmail.set(next)
    await navigate({ to: asksForEmail ? paths.addEmail : next, replace: true })
  }
  // for users who cannot continue or signed in as someone else
  const leave = async () => {
    await signOut()
    await navigate({ to: paths.signIn, replace: true })
  }
  return (
    <SignInCard
      title="Create password"
      description="Set a new password to continue."
      footer={
        <Button variant="borderless" size="sm" onClick={() => void leave()}>
          Sign out
        </Button>
      }
    >
      <NewPassword rule={rule} onSave={save} />
    </SignInCard>
  )
}

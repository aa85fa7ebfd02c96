import { useNavigate } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import { user } from '@trunkline/contract/resources/user'
import { useEffect } from 'react'
import { NewPassword } from '../../kit/new-password'
import { usePasswordRule } from '../../kit/password-rules'
import { call } from '../../lib/client'
import { paths } from '../../lib/paths'
import { leaveFlash, passing } from '../../lib/storage'
import { currentSession } from '../../session/session'
import { SignInCard } from '../../ui/sign-in-card'

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

/** The forced change of a password after a first sign-in. */
export const CreatePassword = () => {
  const navigate = useNavigate()
  const rule = usePasswordRule()
  useMustComeFromSignIn()

  const save = async (new_password: string) => {
    const { user_sid, old_password } = leftBehind()
    if (!user_sid || !old_password) return
    await call(user.update, { params: { user_sid }, body: { old_password, new_password } })
    passing.userSid.clear()
    passing.oldPassword.clear()
    const account = currentSession()?.actor.scope === 'account'
    await navigate({ to: account ? paths.applications.list : paths.accounts.list, replace: true })
  }
  return (
    <SignInCard title="Create password" lede="You must create a new password before you go on.">
      <NewPassword rule={rule} onSave={save} />
    </SignInCard>
  )
}

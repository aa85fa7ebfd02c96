import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import { login } from '@trunkline/contract/resources/session'
import type { LoginResponse } from '@trunkline/contract/shapes/session'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { request } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { Problem } from '../../lib/problem'
import { localValues, sessionValues, takeFlash } from '../../lib/storage'
import { getUnsavedInputs } from '../../session/unsaved-inputs'
import { getLandingPath } from '../../session/landing-path'
import { startSession, getCurrentSession } from '../../session/session'
import { Button } from '../../ui/button'
import { Link } from '../../ui/link'
import { TextField, PasswordField } from '../../ui/form/text-field'
import { SignInCard } from '../../ui/shell/sign-in-card'
import { clearToasts, toast } from '../../ui/feedback/toast'

/** Returns the error message of a failed sign-in. The server's own message may reveal too much. */
export const getSignInErrorMessage = (error: unknown): string => {
  const status = error instanceof Problem ? error.status : undefined
  if (status === 0 || status === 500) return messages.unreachable
  return status !== undefined && status > 400 && status < 500 ? messages.wrongCredentials : messages.failed
}

/** Shows the message that another page left for the sign-in page, also after a redirect back to it. */
const useFlashMessage = () => {
  const location = useLocation()
  useEffect(() => {
    const message = takeFlash()
    if (message) (message === messages.loggedOut ? toast.ok : toast.bad)(message)
  }, [location])
}

/** Clears the values for the pages below: another user may have left them in this tab. */
const clearSignInValues = () => {
  sessionValues.userSid.clear()
  sessionValues.oldPassword.clear()
  sessionValues.pathAfterEmail.clear()
}

/**
 * Returns the next URL after a sign-in: first the pages for a new password and an email address, if the server requires
 * them. Stores the values that these pages need.
 */
const prepareNextUrl = (response: LoginResponse, password: string) => {
  clearSignInValues()
  const url = prepareUrlAfterPassword(response, password)
  if (!response.add_email || url === paths.signIn) return url
  sessionValues.pathAfterEmail.set(url)
  return url === paths.createPassword ? url : paths.addEmail
}

const prepareUrlAfterPassword = ({ force_change, user_sid }: LoginResponse, password: string) => {
  if (force_change && !getFeatureFlags().hosted) {
    sessionValues.userSid.set(user_sid)
    sessionValues.oldPassword.set(password)
    return paths.createPassword
  }
  const session = getCurrentSession()
  if (!session) return paths.signIn
  // a user whose session ended while they were typing returns to that form
  const [unsavedInput] = getUnsavedInputs(session.actor.user_sid)
  if (unsavedInput) localValues.provider.set(unsavedInput.providerSid)
  return unsavedInput?.url ?? getLandingPath(session.actor)
}

/** The sign-in page. */
export const SignIn = () => {
  const navigate = useNavigate()
  const { routesByPath } = useRouter()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [isPending, setIsPending] = useState(false)
  const usernameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  useFlashMessage()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    if (!username || !password) {
      toast.bad(messages.wrongCredentials)
      const emptyField = username ? passwordField : usernameField
      emptyField.current?.focus()
      return
    }
    setIsPending(true)
    try {
      const response = await request(login, { body: { username, password }, keepsSession: true })
      if (!startSession(response.token)) throw new Error('The token is not usable')
      clearToasts()
      await navigate({ href: prepareNextUrl(response, password), replace: true })
    } catch (error) {
      toast.bad(getSignInErrorMessage(error))
      setIsPending(false)
      passwordField.current?.focus()
    } finally {
      localValues.oauthState.clear()
      localValues.pathBeforeOauth.clear()
    }
  }

  const { hosted, forgotPassword } = getFeatureFlags()
  // A link is shown only if its page is part of this build.
  const hasPage = (path: string) => path in routesByPath
  return (
    <SignInCard
      title="Log in"
      footer={hosted && hasPage(paths.register) ? <Link href={paths.register}>Register</Link> : undefined}
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          size="large"
          label="Username"
          name="username"
          ref={usernameField}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordField
          showLabel="Show password"
          size="large"
          label="Password"
          name="password"
          required
          ref={passwordField}
          labelAside={
            forgotPassword && hasPage(paths.forgotPassword) ? (
              <Link href={paths.forgotPassword}>Forgot password</Link>
            ) : undefined
          }
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" variant="primary" size="lg" block pending={isPending}>
          Log in
        </Button>
      </form>
    </SignInCard>
  )
}

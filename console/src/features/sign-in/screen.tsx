import { useLocation, useNavigate } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import { login } from '@trunkline/contract/resources/session'
import type { LoginResponse } from '@trunkline/contract/shapes/session'
import { Suspense, useEffect, useRef, useState, type FormEvent } from 'react'
import { request } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { Problem, withRequestId } from '../../lib/problem'
import { localValues, sessionValues, takeFlash } from '../../lib/storage'
import { prepareLandingPath } from '../../session/landing-path'
import { clearAuthorization } from '../../session/pending-authorization'
import { startSession, getCurrentSession } from '../../session/session'
import { getUnsavedInputs } from '../../session/unsaved-inputs'
import { Button } from '../../ui/button'
import { Link } from '../../ui/link'
import { TextField, PasswordField } from '../../ui/form/text-field'
import { SignInCard } from '../../ui/shell/sign-in-card'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { clearToasts, toast } from '../../ui/feedback/toast'

/** Returns the error message of a failed sign-in. The server's own message may reveal too much. */
export const getSignInErrorMessage = (error: unknown): string => {
  const status = error instanceof Problem ? error.status : undefined
  if (status === 0 || status === 500) return withRequestId(messages.unreachable, error)
  return status !== undefined && status > 400 && status < 500
    ? messages.wrongCredentials
    : withRequestId(messages.failed, error)
}

/** Shows the message that another screen left for the sign-in screen, also after a redirect back to it. */
const useFlashMessage = () => {
  const location = useLocation()
  useEffect(() => {
    const flash = takeFlash()
    if (flash) toast[flash.kind](flash.text)
  }, [location])
}

/** Clears the values for the screens below: another user may have left them in this tab. */
const clearSignInValues = () => {
  sessionValues.userSid.clear()
  sessionValues.oldPassword.clear()
  sessionValues.pathAfterEmail.clear()
}

/**
 * Returns the next URL after a sign-in: first the screens for a new password and an email address, if the server requires
 * them. Stores the values that these screens need.
 */
const prepareNextUrl = async (response: LoginResponse, password: string) => {
  clearSignInValues()
  const url = await prepareUrlAfterPassword(response, password)
  if (!response.add_email || url === paths.signIn) return url
  sessionValues.pathAfterEmail.set(url)
  return url === paths.createPassword ? url : paths.addEmail
}

const prepareUrlAfterPassword = async ({ force_change, user_sid }: LoginResponse, password: string) => {
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
  return unsavedInput?.url ?? prepareLandingPath(session.actor)
}

/** Loaded only if there are identity providers. */
const IdentityProviders = lazyComponent(() => import('./identity-providers').then((module) => module.IdentityProviders))

/** Whether users can sign in at an identity provider: in the hosted edition, if one is configured. */
const hasIdentityProviders = () => {
  const { hosted, githubClientId, googleClientId } = getFeatureFlags()
  return hosted && (githubClientId !== null || googleClientId !== null)
}

/** If the user has not confirmed the email address yet, stores the registration that the server reports. */
const continueRegistration = async (error: unknown): Promise<boolean> => {
  const { storeRegistration, toUnconfirmedRegistration } = await import('../../session/registration')
  const registration = toUnconfirmedRegistration(error)
  if (registration) storeRegistration(registration)
  return registration !== undefined
}

/** The state of the form: the input, and the sign-in. */
const useSignIn = () => {
  const navigate = useNavigate()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [isPending, setIsPending] = useState(false)
  const usernameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)

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
      await navigate({ href: await prepareNextUrl(response, password), replace: true })
    } catch (error) {
      if (getFeatureFlags().hosted && (await continueRegistration(error))) {
        clearToasts()
        return await navigate({ to: paths.verifyEmail })
      }
      toast.bad(getSignInErrorMessage(error))
      setIsPending(false)
      passwordField.current?.focus()
    } finally {
      clearAuthorization()
    }
  }
  return { username, setUsername, usernameField, password, setPassword, passwordField, isPending, submit }
}

/** The sign-in screen. */
export const SignIn = () => {
  const { username, setUsername, usernameField, password, setPassword, passwordField, isPending, submit } = useSignIn()
  useFlashMessage()
  const { hosted, forgotPassword } = getFeatureFlags()
  return (
    <SignInCard
      title="Log in"
      footer={
        hosted ? (
          <span>
            No account yet? <Link href={paths.register}>Register</Link>
          </span>
        ) : undefined
      }
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
          labelAside={forgotPassword ? <Link href={paths.forgotPassword}>Forgot Password</Link> : undefined}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" variant="primary" size="lg" block pending={isPending}>
          Log in
        </Button>
      </form>
      {hasIdentityProviders() && (
        <Suspense>
          <IdentityProviders />
        </Suspense>
      )}
    </SignInCard>
  )
}

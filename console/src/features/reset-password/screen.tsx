import { useNavigate, useParams } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/password-reset'
import { changePassword, signIn } from '@trunkline/contract/resources/session'
import { useEffect, useState } from 'react'
import { NewPassword } from '../../panels/new-password'
import { usePasswordRule } from '../../panels/password-rules'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { Problem, getErrorMessage } from '../../lib/problem'
import { sessionValues } from '../../lib/storage'
import { endSession } from '../../session/session'
import { Button, ButtonLink } from '../../ui/button'
import { Link } from '../../ui/link'
import { ErrorText } from '../../ui/feedback/error-text'
import { SignInCard } from '../../ui/shell/sign-in-card'

/** The state of the reset link. */
type LinkState =
  | { status: 'checking' }
  | { status: 'invalid' }
  | { status: 'failed'; text: string }
  | { status: 'valid'; token: string }

/** The link is invalid or has expired. */
const isInvalidLink = (error: unknown) => error instanceof Problem && [401, 403, 404].includes(error.status)

/** Returns the token of the session that this link opened before the page was reloaded. A link works only once. */
const getStoredToken = (resetCode: string): string | undefined => {
  const [storedCode, token] = sessionValues.resetLink.get()?.split(' ') ?? []
  return storedCode === resetCode ? token : undefined
}

/** Signs in with the code of a reset link. The token stays in this tab and does not replace the browser's session. */
const useResetLink = (resetCode: string) => {
  const [linkState, setLinkState] = useState<LinkState>(() => {
    const token = getStoredToken(resetCode)
    return token ? { status: 'valid', token } : { status: 'checking' }
  })
  const [attempt, setAttempt] = useState(1)
  useEffect(() => {
    if (getStoredToken(resetCode)) return undefined
    const abortController = new AbortController()
    const { signal } = abortController
    request(signIn, { body: { link: resetCode }, signal, keepsSession: true }).then(
      ({ jwt }) => {
        sessionValues.resetLink.set(`${resetCode} ${jwt}`)
        setLinkState({ status: 'valid', token: jwt })
      },
      (error: unknown) => {
        if (!signal.aborted)
          setLinkState(
            isInvalidLink(error) ? { status: 'invalid' } : { status: 'failed', text: getErrorMessage(error) },
          )
      },
    )
    return () => abortController.abort()
  }, [resetCode, attempt])
  const retry = () => {
    setLinkState({ status: 'checking' })
    setAttempt(attempt + 1)
  }
  const invalidate = () => {
    sessionValues.resetLink.clear()
    setLinkState({ status: 'invalid' })
  }
  return { linkState, retry, invalidate }
}

/** The screen that a reset link in an email opens: sets a new password. */
export const ResetPassword = () => {
  const { id: resetCode = '' }: { id?: string } = useParams({ strict: false })
  const { linkState, retry, invalidate } = useResetLink(resetCode)

  if (linkState.status === 'checking')
    return <SignInCard title="Reset password" description="Checking the link." children={null} />
  if (linkState.status === 'invalid')
    return (
      <SignInCard
        title="This link no longer works"
        description={<span role="alert">{messages.linkExpired}</span>}
        footer={<Link href={paths.signIn}>Back to log in</Link>}
      >
        <ButtonLink variant="primary" size="lg" block href={paths.forgotPassword}>
          Request a new link
        </ButtonLink>
      </SignInCard>
    )
  if (linkState.status === 'failed')
    return (
      <SignInCard
        title="Reset password"
        description={
          <span role="alert">
            <ErrorText>{linkState.text}</ErrorText>
          </span>
        }
      >
        <Button variant="primary" size="lg" block onClick={retry}>
          Try again
        </Button>
      </SignInCard>
    )
  return <ChoosePassword resetCode={resetCode} token={linkState.token} onInvalid={invalidate} />
}

/** The minimum length that `messages.tooShort` states. `NewPassword` then checks the installation's own password rule. */
const minPasswordLength = 7

const findPasswordError = (password: string) => (password.length < minPasswordLength ? messages.tooShort : undefined)
const findPasswordWarning = (password: string) => (/^\P{L}+$/u.test(password) ? messages.noLetter : undefined)

interface ChoosePasswordProps {
  resetCode: string
  token: string
  onInvalid: () => void
}

const ChoosePassword = ({ resetCode, token, onInvalid }: ChoosePasswordProps) => {
  const navigate = useNavigate()
  const passwordRule = usePasswordRule(token)

  const save = async (new_password: string) => {
    try {
      // the code of the link replaces the old password
      await request(changePassword, { body: { old_password: resetCode, new_password }, token, keepsSession: true })
    } catch (error) {
      const isLinkUsed = error instanceof Problem && (error.status === 401 || error.field === 'old_password')
      if (!isLinkUsed) throw error
      return onInvalid()
    }
    // Ends this browser's session, which may belong to another user. The server has already ended all sessions of the
    // user with the new password.
    endSession(messages.passwordSet, 'ok')
    await navigate({ to: paths.signIn, replace: true })
  }
  return (
    <SignInCard
      title="Reset password"
      description="Choose a new password."
      footer={<Link href={paths.signIn}>Back to log in</Link>}
    >
      <NewPassword
        rule={passwordRule}
        mismatch={messages.mismatch}
        findError={findPasswordError}
        findWarning={findPasswordWarning}
        submitLabel="Set new password"
        onSave={save}
      />
    </SignInCard>
  )
}

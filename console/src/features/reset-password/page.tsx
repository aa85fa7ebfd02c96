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
import { SignInCard } from '../../ui/shell/sign-in-card'
import { toast } from '../../ui/feedback/toast'

/** The state of the reset link. */
type LinkState =
  | { status: 'checking' }
  | { status: 'invalid' }
  | { status: 'failed'; text: string }
  | { status: 'valid'; token: string }

/** The link is invalid or has expired. */
const isInvalidLink = (error: unknown) => error instanceof Problem && [401, 403, 404].includes(error.status)

/** The token of the session that this link opened before the page was reloaded. */
const tokenOfOpenedLink = (link: string): string | undefined => {
  const [storedLink, token] = sessionValues.reset.get()?.split(' ') ?? []
  return storedLink === link ? token : undefined
}

/** Signs in with the link. The token stays in this tab, so the browser's session does not change. */
const useResetLink = (link: string) => {
  const [linkState, setLinkState] = useState<LinkState>(() => {
    const token = tokenOfOpenedLink(link)
    return token ? { status: 'valid', token } : { status: 'checking' }
  })
  const [attempt, setAttempt] = useState(1)
  useEffect(() => {
    if (tokenOfOpenedLink(link)) return undefined
    const abortController = new AbortController()
    const { signal } = abortController
    request(signIn, { body: { link }, signal, isBackground: true }).then(
      ({ jwt }) => {
        sessionValues.reset.set(`${link} ${jwt}`)
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
  }, [link, attempt])
  const retry = () => {
    setLinkState({ status: 'checking' })
    setAttempt(attempt + 1)
  }
  const invalidate = () => {
    sessionValues.reset.clear()
    setLinkState({ status: 'invalid' })
  }
  return { linkState, retry, invalidate }
}

/** The page that a reset link in an email opens: sets a new password. */
export const ResetPassword = () => {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { linkState, retry, invalidate } = useResetLink(id)

  if (linkState.status === 'checking')
    return <SignInCard title="Reset password" description="Checking the link." children={null} />
  if (linkState.status === 'invalid')
    return (
      <SignInCard
        title="Reset password"
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
      <SignInCard title="Reset password" description={<span role="alert">{linkState.text}</span>}>
        <Button variant="primary" size="lg" block onClick={retry}>
          Try again
        </Button>
      </SignInCard>
    )
  return <ChoosePassword link={id} token={linkState.token} onInvalid={invalidate} />
}

/**
 * The minimum length that the message states. The installation's password rule may require more and is checked
 * afterwards.
 */
const minLength = 7

const faultOf = (password: string) => (password.length < minLength ? messages.tooShort : undefined)
const warningOf = (password: string) => (/^\P{L}+$/u.test(password) ? messages.noLetter : undefined)

interface ChoosePasswordProps {
  link: string
  token: string
  onInvalid: () => void
}

const ChoosePassword = ({ link, token, onInvalid }: ChoosePasswordProps) => {
  const navigate = useNavigate()
  const rule = usePasswordRule(token)

  const save = async (new_password: string) => {
    try {
      await request(changePassword, { body: { old_password: link, new_password }, token, isBackground: true })
    } catch (error) {
      const isUsedUp = error instanceof Problem && (error.status === 401 || error.field === 'old_password')
      if (!isUsedUp) throw error
      return onInvalid()
    }
    // Ends the session in this browser, whoever it belongs to. The new password has already ended all sessions of its
    // user.
    toast.ok(messages.passwordSet)
    endSession()
    await navigate({ to: paths.signIn, replace: true })
  }
  return (
    <SignInCard title="Reset password" description="Choose a new password.">
      <NewPassword rule={rule} mismatch={messages.mismatch} faultOf={faultOf} warningOf={warningOf} onSave={save} />
    </SignInCard>
  )
}

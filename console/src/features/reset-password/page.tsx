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
type Standing = { is: 'asked' } | { is: 'dead' } | { is: 'failed'; text: string } | { is: 'good'; token: string }

/** The link is invalid or has expired. */
const isDead = (error: unknown) => error instanceof Problem && [401, 403, 404].includes(error.status)

/** The token of the session that this link opened before the page was reloaded. */
const openedBefore = (link: string): string | undefined => {
  const [known, token] = sessionValues.reset.get()?.split(' ') ?? []
  return known === link ? token : undefined
}

/** Signs in with the link. The token stays in this tab, so the browser's session does not change. */
const useLink = (link: string) => {
  const [standing, setStanding] = useState<Standing>(() => {
    const token = openedBefore(link)
    return token ? { is: 'good', token } : { is: 'asked' }
  })
  const [attempt, setAttempt] = useState(1)
  useEffect(() => {
    if (openedBefore(link)) return undefined
    const stop = new AbortController()
    const { signal } = stop
    request(signIn, { body: { link }, signal, isBackground: true }).then(
      ({ jwt }) => {
        sessionValues.reset.set(`${link} ${jwt}`)
        setStanding({ is: 'good', token: jwt })
      },
      (error: unknown) => {
        if (!signal.aborted)
          setStanding(isDead(error) ? { is: 'dead' } : { is: 'failed', text: getErrorMessage(error) })
      },
    )
    return () => stop.abort()
  }, [link, attempt])
  const again = () => {
    setStanding({ is: 'asked' })
    setAttempt(attempt + 1)
  }
  const give = () => {
    sessionValues.reset.clear()
    setStanding({ is: 'dead' })
  }
  return { standing, again, give }
}

/** The page that a reset link in an email opens: sets a new password. */
export const ResetPassword = () => {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { standing, again, give } = useLink(id)

  if (standing.is === 'asked')
    return <SignInCard title="Reset password" description="Checking the link." children={null} />
  if (standing.is === 'dead')
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
  if (standing.is === 'failed')
    return (
      <SignInCard title="Reset password" description={<span role="alert">{standing.text}</span>}>
        <Button variant="primary" size="lg" block onClick={again}>
          Try again
        </Button>
      </SignInCard>
    )
  return <Choose link={id} token={standing.token} onDead={give} />
}

/**
 * The minimum length that the message states. The installation's password rule may require more and is checked
 * afterwards.
 */
const shortest = 7

const faultOf = (password: string) => (password.length < shortest ? messages.tooShort : undefined)
const warningOf = (password: string) => (/^\P{L}+$/u.test(password) ? messages.noLetter : undefined)

interface ChooseProps {
  link: string
  token: string
  onDead: () => void
}

const Choose = ({ link, token, onDead }: ChooseProps) => {
  const navigate = useNavigate()
  const rule = usePasswordRule(token)

  const save = async (new_password: string) => {
    try {
      await request(changePassword, { body: { old_password: link, new_password }, token, isBackground: true })
    } catch (error) {
      const usedUp = error instanceof Problem && (error.status === 401 || error.field === 'old_password')
      if (!usedUp) throw error
      return onDead()
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
